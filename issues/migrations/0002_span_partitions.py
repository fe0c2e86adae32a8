"""Spans: partitioned by the week their trace was first seen, so that expiry drops tables."""

from django.db import migrations

FORWARD = """
CREATE TABLE issues_span (
    project_id bigint NOT NULL,
    started_at timestamptz,
    ended_at timestamptz,
    input_tokens bigint,
    output_tokens bigint,
    cost double precision,
    bucket smallint NOT NULL,
    trace_id text COLLATE "C" NOT NULL,
    span_id text COLLATE "C" NOT NULL,
    parent_id text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    error text NOT NULL,
    model text NOT NULL,
    tool text NOT NULL,
    finish_reason text NOT NULL,
    prompt text NOT NULL,
    facts text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (project_id, bucket, trace_id, span_id)
) PARTITION BY LIST (bucket);
"""


class Migration(migrations.Migration):
    dependencies = [("issues", "0001_telemetry")]
    operations = [migrations.RunSQL(FORWARD, "DROP TABLE issues_span")]
