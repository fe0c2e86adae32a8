"""The cast and the stage: one PostgreSQL for the run, the same people in every test."""

from collections.abc import Iterator
from functools import wraps

import pytest
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations
from django.test import Client

from reviewer.models import Project, User
from tests import make


@pytest.fixture(autouse=True)
def _plain_stage(settings) -> None:
    """Static files straight from the source, passwords hashed cheaply."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True, scope="session")
def _flush_past_the_triggers() -> Iterator[None]:
    """Emptying the tables after a test is not a change to the audit log that its trigger should refuse."""
    # On the class: inside a browser test Django hands out another connection object for the same thread.
    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    @wraps(flush)
    def without_triggers(self: BaseDatabaseOperations, sql_list: list[str]) -> None:
        # Spans are in a partitioned table that Django does not manage, and so would not empty.
        emptied = [*sql_list, "TRUNCATE issues_span"]
        flush(self, ["SET session_replication_role = replica", *emptied, "SET session_replication_role = DEFAULT"])

    operations.execute_sql_flush = without_triggers  # type: ignore[method-assign]
    yield
    operations.execute_sql_flush = flush  # type: ignore[method-assign]


@pytest.fixture
def shop(db) -> Project:
    """The project most tests play in."""
    return make.project("fernwood", "Fernwood shop")


@pytest.fixture
def elsewhere(db) -> Project:
    """Another team's project."""
    return make.project("elsewhere", "Elsewhere Ltd")


@pytest.fixture
def jonas(shop: Project) -> User:
    """A PM: viewer."""
    return make.member(shop, "viewer", "Jonas Lindqvist", email="jonas@fernwood.example")


@pytest.fixture
def amara(shop: Project) -> User:
    """A domain reviewer."""
    return make.member(shop, "reviewer", "Amara Osei", email="amara@fernwood.example")


@pytest.fixture
def priya(shop: Project) -> User:
    """An admin."""
    return make.member(shop, "admin", "Priya Raman", email="priya@fernwood.example")


@pytest.fixture
def stranger(elsewhere: Project) -> User:
    """Admin of another project, nobody in ours."""
    return make.member(elsewhere, "admin", "Sam Stranger", email="sam@elsewhere.example")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_jonas(jonas: User) -> Client:
    return signed_in(jonas)


@pytest.fixture
def as_amara(amara: User) -> Client:
    return signed_in(amara)


@pytest.fixture
def as_priya(priya: User) -> Client:
    return signed_in(priya)


@pytest.fixture
def as_stranger(stranger: User) -> Client:
    return signed_in(stranger)
