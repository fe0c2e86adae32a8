"""The partitions of this week and the next, so that a new instance's first request finds its place."""

from datetime import UTC, datetime

from django.db import migrations

from issues.models.telemetry import bucket_of


def open_weeks(apps, schema_editor):
    week = bucket_of(datetime.now(UTC))
    for bucket in (week, week + 1):
        schema_editor.execute(
            f"CREATE TABLE IF NOT EXISTS issues_span_{bucket} PARTITION OF issues_span FOR VALUES IN ({bucket})"
        )


class Migration(migrations.Migration):
    dependencies = [("issues", "0007_intake_cost")]
    operations = [migrations.RunPython(open_weeks, migrations.RunPython.noop)]
