"""The database itself refuses to change the audit log."""

import pytest
from django.db import DatabaseError, connection, transaction

from reviewer.audit import record
from reviewer.models import Audit


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE reviewer_audit SET actor_name = 'nobody'",
        "DELETE FROM reviewer_audit",
        "TRUNCATE reviewer_audit",
        "TRUNCATE reviewer_audit CASCADE",
    ],
)
def test_plain_sql_cannot_change_a_line(shop, priya, sql):
    record("renamed", shop, project=shop, actor=priya)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # as after a commit
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)
    assert Audit.objects.get().actor_name == "Priya Raman"


def test_a_project_or_person_with_history_cannot_be_deleted(shop, priya):
    record("renamed", shop, project=shop, actor=priya)
    for table, pk in (("reviewer_project", shop.pk), ("reviewer_user", priya.pk)):
        sql = f"DELETE FROM {table} WHERE id = {pk}; SET CONSTRAINTS ALL IMMEDIATE"
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


def test_long_names_are_cut_not_refused(shop):
    row = record("renamed", shop, project=shop, actor="x" * 500, name="y" * 500)
    assert (len(row.actor_name), len(row.target_name)) == (160, 200)
