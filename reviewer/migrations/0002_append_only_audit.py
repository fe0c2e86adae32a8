"""The audit log can only grow: the database refuses to change or delete a row, whoever asks."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION reviewer_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON reviewer_audit
    FOR EACH ROW EXECUTE FUNCTION reviewer_refuse_change();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON reviewer_audit
    FOR EACH STATEMENT EXECUTE FUNCTION reviewer_refuse_change();
"""
BACKWARD = """
DROP TRIGGER audit_no_truncate ON reviewer_audit;
DROP TRIGGER audit_append_only ON reviewer_audit;
DROP FUNCTION reviewer_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("reviewer", "0001_start")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
