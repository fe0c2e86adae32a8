"""Storage that costs less to write: long texts lie beside the row as they are, not compressed by the server."""

from django.db import migrations

FORWARD = """
ALTER TABLE issues_span ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE issues_trace ALTER COLUMN search SET STORAGE EXTERNAL;
"""
BACKWARD = FORWARD.replace("EXTERNAL", "EXTENDED")


class Migration(migrations.Migration):
    dependencies = [("issues", "0006_reading")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
