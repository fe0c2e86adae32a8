"""What is found in telemetry: failures, the signatures they share, the issues they make, and proposed causes.

Everything here is small beside telemetry and stays on one node, so it has foreign keys. Failures point at traces by
id only: a trace may expire while its failure stays counted.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from pgvector.django import HalfVectorField

from reviewer.models import Project, User

LONGEST_TITLE = 200


class IssueQuerySet(models.QuerySet["Issue"]):
    """Reads; every one goes through a project."""

    def standing(self) -> IssueQuerySet:
        """Those that are issues of their own today."""
        return self.exclude(state=Issue.State.MERGED)


class Issue(models.Model):
    """One problem that users meet, with a number a person can quote. Counts are kept by the grouping step."""

    class State(models.TextChoices):
        OPEN = "open", "Open"
        CONFIRMED = "confirmed", "Confirmed"
        REJECTED = "rejected", "Not a problem"
        SNOOZED = "snoozed", "Snoozed"
        DISPUTED = "disputed", "Disputed"
        MERGED = "merged", "Merged"
        FIXING = "fixing", "Fixing"
        WATCHING = "watching", "Watching"
        RESOLVED = "resolved", "Resolved"
        REGRESSED = "regressed", "Regressed"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="issues", db_index=False)
    number = models.IntegerField()
    title = models.CharField(max_length=LONGEST_TITLE)
    excerpt = models.TextField(default="", help_text="What stands for it: the excerpt nearest to its middle.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    severity = models.SmallIntegerField(default=2, help_text="1 is a nuisance, 2 hurts, 3 is severe.")
    detectors = ArrayField(models.CharField(max_length=80), default=list, help_text="Most frequent first.")
    failures = models.IntegerField(default=0)
    traces = models.IntegerField(default=0)
    sessions = models.IntegerField(default=0)
    users = models.IntegerField(default=0)
    first_at = models.DateTimeField(null=True)
    last_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())
    reviewed_at = models.DateTimeField(null=True, help_text="A person decided here: its number and members are kept.")
    titled_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    merged_into = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="swallowed")
    diagnosed_at = models.DateTimeField(null=True)
    diagnosed_failures = models.IntegerField(default=0, help_text="How many failures it had when last diagnosed.")
    diagnosis_asked_at = models.DateTimeField(null=True, help_text="A reviewer asked for another diagnosis.")

    objects = IssueQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="issue_number_once")]
        indexes = [models.Index(fields=["project", "state", "-last_at"], name="issue_by_state")]

    def __str__(self) -> str:
        return f"#{self.number} {self.title}"


class Signature(models.Model):
    """What failed, with numbers, ids and quoted values masked: one node of the graph, shared by equal failures."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    digest = models.CharField(max_length=40, help_text="Of family and text.")
    family = models.CharField(max_length=120, help_text="Only signatures of one family can be neighbours.")
    strict = models.BooleanField(default=False, help_text="A structured message: wants closer neighbours.")
    text = models.TextField()
    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, null=True, related_name="signatures")
    seen_at = models.DateTimeField(db_default=Now())
    placed_at = models.DateTimeField(null=True, help_text="When grouping last looked at it.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "digest"], name="signature_once")]

    def __str__(self) -> str:
        return self.text[:80]


class Embedding(models.Model):
    """One vector for a signature, by one model; several models may stand side by side while one replaces another."""

    signature = models.ForeignKey(Signature, on_delete=models.CASCADE, related_name="embeddings", db_index=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    model = models.CharField(max_length=200)
    dimension = models.SmallIntegerField()
    vector = HalfVectorField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["signature", "model"], name="embedding_once")]
        indexes = [models.Index(fields=["project", "model"], name="embedding_by_project")]

    def __str__(self) -> str:
        return f"{self.model} of {self.signature_id}"


class Edge(models.Model):
    """Two signatures that are near each other, by one model; stored once, the smaller id first."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    model = models.CharField(max_length=200)
    near = models.ForeignKey(Signature, on_delete=models.CASCADE, related_name="+", db_index=False)
    far = models.ForeignKey(Signature, on_delete=models.CASCADE, related_name="+")
    similarity = models.FloatField()
    mutual = models.BooleanField(default=False, help_text="Each is among the other's nearest.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "model", "near", "far"], name="edge_once")]

    def __str__(self) -> str:
        return f"{self.near_id} – {self.far_id}"


class Failure(models.Model):
    """One detector's flag on one trace, with its evidence."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    trace_id = models.CharField(max_length=128)
    detector = models.CharField(max_length=80)
    key = models.CharField(max_length=60, default="", help_text="Tells two findings of one detector on a trace apart.")
    span_id = models.CharField(max_length=128, default="")
    side = models.CharField(max_length=8, default="", help_text="Where the excerpt stands: input, output or error.")
    excerpt = models.TextField(default="", help_text="The few words that prove it, as they stand in the step.")
    reason = models.TextField(help_text="In words for a domain expert.")
    severity = models.SmallIntegerField(default=2)
    behind = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, related_name="followers",
        help_text="The failure of this trace that tells the same reason better; null for the one that leads.",
    )  # fmt: skip
    signature = models.ForeignKey(Signature, on_delete=models.PROTECT, null=True, related_name="failures")
    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, null=True, related_name="members")
    pinned = models.BooleanField(default=False, help_text="A person placed it where it is.")
    at = models.DateTimeField(help_text="When its trace began.")
    detected_at = models.DateTimeField(db_default=Now())
    session = models.TextField(default="")
    user = models.TextField(default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "trace_id", "detector", "key"], name="failure_once"),
        ]
        indexes = [
            models.Index(fields=["project", "-at", "-id"], name="failure_by_time"),
            models.Index(
                fields=["issue", "-at", "-id"], condition=models.Q(issue__isnull=False), name="failure_by_issue"
            ),
            models.Index(
                fields=["project", "id"], condition=models.Q(issue=None, behind=None), name="failure_unsorted"
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.detector} on {self.trace_id}"


class Facts(models.Model):
    """What one trace ran with and met, as words `field=value`: what diagnosis compares failing and healthy by."""

    pk = models.CompositePrimaryKey("project_id", "trace_id")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+", db_index=False)
    trace_id = models.CharField(max_length=128)
    at = models.DateTimeField()
    counts = models.BooleanField(help_text="Production traffic without a run mark: opens issues, counts in impact.")
    failing = models.BooleanField(default=False, help_text="At least one detector flagged it.")
    words = ArrayField(models.TextField(), default=list)

    class Meta:
        indexes = [models.Index(fields=["project", "at"], condition=models.Q(counts=True), name="facts_by_time")]

    def __str__(self) -> str:
        return self.trace_id


class Link(models.Model):
    """What a person said about two signatures: they belong together, or they do not. Holds from then on."""

    class Kind(models.TextChoices):
        MUST = "must", "belong together"
        CANNOT = "cannot", "do not belong together"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    near = models.ForeignKey(Signature, on_delete=models.CASCADE, related_name="+")
    far = models.ForeignKey(Signature, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "near", "far"], name="link_once"),
            models.CheckConstraint(condition=models.Q(near__lt=models.F("far")), name="link_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.near_id} and {self.far_id} {self.get_kind_display()}"


class Proposal(models.Model):
    """What a new partition would change about a reviewed issue: left for a person to decide."""

    class Kind(models.TextChoices):
        MERGE = "merge", "Merge"
        SPLIT = "split", "Split"

    class State(models.TextChoices):
        OPEN = "open", "Open"
        TAKEN = "taken", "Taken"
        DECLINED = "declined", "Declined"
        GONE = "gone", "No longer proposed"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="proposals")
    other = models.ForeignKey(Issue, on_delete=models.PROTECT, null=True, related_name="+")
    signatures = ArrayField(models.BigIntegerField(), default=list, help_text="Those that a split would take out.")
    similarity = models.FloatField(null=True)
    reason = models.TextField(default="")
    made_at = models.DateTimeField(db_default=Now())
    decided_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["project", "state", "-made_at"], name="proposal_by_state")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.issue_id}"


class Cause(models.Model):
    """Why an issue happens, as proposed; a rejected one is remembered and not proposed again."""

    class Source(models.TextChoices):
        STATISTICS = "statistics", "Statistics"
        MODEL = "model", "A model, checked against the telemetry"
        PERSON = "person", "A person"

    class Confidence(models.TextChoices):
        STRONG = "strong", "Strong"
        LIKELY = "likely", "Likely"
        WEAK = "weak", "Weak"
        NONE = "none", "No factor stands out"

    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="causes")
    rank = models.SmallIntegerField(default=1, help_text="1 is proposed, the others are alternatives.")
    statement = models.TextField()
    confidence = models.CharField(max_length=8, choices=Confidence.choices)
    source = models.CharField(max_length=10, choices=Source.choices, default=Source.STATISTICS)
    key = models.CharField(max_length=300, default="", help_text="Its factors, for recognising it when proposed again.")
    factors = models.JSONField(default=list, help_text="field, value, share_failing, share_healthy, ranges, p_value.")
    onset = models.JSONField(default=dict, help_text="When it began, and what went live just before.")
    first_step = models.JSONField(default=dict, help_text="The first abnormal step: name, kind, share.")
    evidence = models.JSONField(default=dict, help_text="Trace ids: for, against, counter.")
    claims = models.JSONField(default=list, help_text="What a model claimed, and whether the telemetry bears it out.")
    made_at = models.DateTimeField(db_default=Now())
    rejected_at = models.DateTimeField(null=True)
    retired_at = models.DateTimeField(null=True, help_text="A later diagnosis took its place.")

    class Meta:
        indexes = [models.Index(fields=["issue", "rank"], name="cause_by_rank")]

    def __str__(self) -> str:
        return self.statement[:80]
