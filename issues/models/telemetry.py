"""Telemetry: traces, their spans, signals about them, and what went live when.

No foreign keys between these tables, and every key leads with the project: late spans need no parent row,
and the tables can be partitioned by time and spread by project. A trace's row fixes its bucket (the week we
first saw it); its spans live in that bucket's partition, so old weeks are dropped, not deleted row by row.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex, GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models.functions import Now

from reviewer.models import Project

BUCKET_DAYS = 7


def bucket_of(moment: datetime) -> int:
    """The week a moment lies in, counted from 1970."""
    return int(moment.timestamp()) // (BUCKET_DAYS * 86_400)


class Trace(models.Model):
    """One conversation turn or job of the application, summed up from its spans and never trusted to them."""

    pk = models.CompositePrimaryKey("project_id", "trace_id")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    trace_id = models.CharField(max_length=128)
    bucket = models.SmallIntegerField()
    received_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(help_text="Of the earliest span; when it was received, if no span says.")
    ended_at = models.DateTimeField(null=True)
    name = models.TextField(default="")
    spans = models.IntegerField(default=0)
    errors = models.IntegerField(default=0)
    error = models.TextField(default="")
    model_names = ArrayField(models.TextField(), default=list)
    prompts = ArrayField(models.TextField(), default=list, help_text="As name@version, in order of use.")
    tools = ArrayField(models.TextField(), default=list)
    tags = ArrayField(models.TextField(), default=list)
    session = models.TextField(default="")
    user = models.TextField(default="")
    environment = models.TextField(default="")
    release = models.TextField(default="")
    run = models.TextField(default="", help_text="Set when this is no production traffic: experiment, ci and so on.")
    input_tokens = models.BigIntegerField(null=True)
    output_tokens = models.BigIntegerField(null=True)
    cost = models.FloatField(null=True)
    input = models.TextField(default="", help_text="What was asked, as plain text, clipped.")
    output = models.TextField(default="", help_text="What was answered, as plain text, clipped.")
    redacted = models.JSONField(default=dict, help_text="How many secrets of which kind were masked.")
    search = SearchVectorField(null=True)

    class Meta:
        indexes = [
            models.Index(  # Covering: the list's filters and bars are answered without touching the wide rows.
                fields=["project", "-started_at", "-trace_id"],
                include=["errors", "run", "environment", "release"],
                name="trace_by_time",
            ),
            models.Index(
                fields=["project", "-started_at", "-trace_id"], condition=models.Q(errors__gt=0), name="trace_failed"
            ),
            models.Index(
                fields=["project", "session", "started_at"], condition=~models.Q(session=""), name="trace_by_session"
            ),
            models.Index(fields=["project", "user", "-started_at"], condition=~models.Q(user=""), name="trace_by_user"),
            GinIndex(fields=["model_names", "prompts", "tags"], name="trace_by_facts"),
            GinIndex(fields=["search"], name="trace_by_text"),
            BrinIndex(fields=["bucket"], name="trace_by_bucket"),  # expiry; a few kilobytes
        ]

    def __str__(self) -> str:
        return self.name or self.trace_id

    @property
    def seconds(self) -> float | None:
        """How long it took, if it ended."""
        return (self.ended_at - self.started_at).total_seconds() if self.ended_at else None

    @property
    def tokens(self) -> int | None:
        """Read and written together, if any step told."""
        told = [count for count in (self.input_tokens, self.output_tokens) if count is not None]
        return sum(told) if told else None


class Span(models.Model):
    """One step. Light columns for the tree, one body for what people read when they look."""

    pk = models.CompositePrimaryKey("project_id", "bucket", "trace_id", "span_id")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    bucket = models.SmallIntegerField()
    trace_id = models.CharField(max_length=128)
    span_id = models.CharField(max_length=128)
    parent_id = models.CharField(max_length=128, default="")
    name = models.TextField(default="")
    kind = models.CharField(max_length=12)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=5, default="")
    error = models.TextField(default="")
    model = models.TextField(default="")
    tool = models.TextField(default="")
    finish_reason = models.TextField(default="")
    prompt = models.TextField(default="", help_text="As name@version.")
    input_tokens = models.BigIntegerField(null=True)
    output_tokens = models.BigIntegerField(null=True)
    cost = models.FloatField(null=True)
    facts = models.TextField(default="", help_text="JSON: what it says about its trace (session, user, tags …).")
    body = models.TextField(help_text="JSON: everything else, inputs and outputs included.")

    class Meta:
        managed = False  # Partitioned by bucket: see the migration.
        db_table = "issues_span"

    def __str__(self) -> str:
        return self.name or self.span_id

    @property
    def content(self) -> dict[str, Any]:
        """The body as an object."""
        return dict(json.loads(self.body))


class Pending(models.Model):
    """A trace that changed and waits for a background step; the row is the queue."""

    pk = models.CompositePrimaryKey("project_id", "trace_id", "step")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    trace_id = models.CharField(max_length=128)
    step = models.CharField(max_length=12)
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["step", "changed_at"], name="pending_by_step")]

    def __str__(self) -> str:
        return f"{self.step} of {self.trace_id}"


class SignalName(models.Model):
    """A kind of signal seen in a project, and which direction is good."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="signal_names")
    name = models.CharField(max_length=200)
    kind = models.CharField(
        max_length=8, choices=[("number", "Number"), ("yes_no", "Yes or no"), ("category", "Category")]
    )
    higher_is_good = models.BooleanField(default=True)
    good_values = ArrayField(models.TextField(), default=list, help_text="For categories: which are good.")
    seen_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="signal_name_once")]

    def __str__(self) -> str:
        return self.name


class Signal(models.Model):
    """Feedback, an outcome or a score. May arrive before its trace, and then waits for it."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    key = models.CharField(max_length=200, help_text="The client's id, else a hash of the fields.")
    trace_id = models.CharField(max_length=128, default="")
    span_id = models.CharField(max_length=128, default="")
    session = models.TextField(default="")
    name = models.CharField(max_length=200)
    number = models.FloatField(null=True, help_text="Yes is 1, no is 0.")
    text = models.TextField(default="", help_text="The category, where the value is one.")
    comment = models.TextField(default="")
    source = models.CharField(max_length=40)
    at = models.DateTimeField()
    received_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="signal_once")]
        indexes = [
            models.Index(fields=["project", "trace_id"], condition=~models.Q(trace_id=""), name="signal_by_trace"),
            models.Index(fields=["project", "session"], condition=~models.Q(session=""), name="signal_by_session"),
            models.Index(fields=["project", "name", "-at"], name="signal_by_name"),
            BrinIndex(fields=["received_at"], name="signal_by_arrival"),  # expiry
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.text or self.number}"


class Rollout(models.Model):
    """Which fact took which value when, and from where we know it."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    fact = models.CharField(max_length=60, help_text="prompt, release, model and so on.")
    name = models.CharField(max_length=200, default="", help_text="Which prompt or tool, where the fact has several.")
    value = models.CharField(max_length=200)
    at = models.DateTimeField()
    source = models.CharField(
        max_length=10,
        choices=[("seen", "first seen in traffic"), ("reported", "reported"), ("ours", "our own deployment")],
    )
    note = models.TextField(default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "fact", "name", "value", "at"],
                condition=~models.Q(source="seen"),
                name="rollout_once",
            ),
            models.UniqueConstraint(
                fields=["project", "fact", "name", "value"], condition=models.Q(source="seen"), name="rollout_seen_once"
            ),
        ]
        indexes = [models.Index(fields=["project", "-at"], name="rollout_by_time")]

    def __str__(self) -> str:
        return f"{self.fact} {self.name} {self.value}"


class Import(models.Model):
    """How far a file has been read into a project, so that an interrupted import goes on where it stopped."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64, help_text="Of the file's size and beginning.")
    name = models.CharField(max_length=200)
    items = models.BigIntegerField(default=0, help_text="Lines or items taken so far.")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "digest"], name="import_once")]

    def __str__(self) -> str:
        return self.name
