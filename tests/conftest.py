"""The cast and the stage: one PostgreSQL for the run, the same people in every test."""

import pytest
from django.test import Client

from reviewer.models import Project, User
from tests import make


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
