"""What a project says about its detectors: built-in ones changed from their defaults, and its own."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from reviewer.models import Project, User


class Detector(models.Model):
    """One detector of one project. A built-in one without a row works with its defaults."""

    class Kind(models.TextChoices):
        BUILT_IN = "built_in", "Built in"
        OWN = "own", "Own check"
        JUDGE = "judge", "Judged by a model"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="detectors", db_index=False)
    name = models.CharField(max_length=80, help_text="Of a built-in detector, or a slug of the project's own.")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.BUILT_IN)
    label = models.CharField(max_length=120, default="", help_text="What people call it.")
    description = models.TextField(default="")
    on = models.BooleanField(default=True)
    severity = models.SmallIntegerField(null=True, help_text="1 to 3; empty keeps the detector's own.")
    options = models.JSONField(default=dict, help_text="Thresholds that differ from the defaults.")
    check_tree = models.JSONField(default=dict, help_text="For an own detector: what flags a trace.")
    rubric = models.TextField(default="", help_text="For one judged by a model: the question.")
    faults = models.IntegerField(default=0, help_text="How often it broke.")
    last_fault = models.TextField(default="")
    last_fault_at = models.DateTimeField(null=True)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="detector_once")]

    def __str__(self) -> str:
        return self.label or self.name


class Backfill(models.Model):
    """Looking at history again with detectors that are new or changed; advanced in short tasks, with a lease."""

    class State(models.TextChoices):
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        CANCELLED = "cancelled", "Cancelled"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="backfills")
    detectors = ArrayField(models.CharField(max_length=80), default=list, help_text="Empty means all.")
    since = models.DateTimeField()
    until = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    total = models.IntegerField(default=0)
    done = models.IntegerField(default=0)
    flagged = models.IntegerField(default=0)
    cursor_at = models.DateTimeField(null=True)
    cursor_id = models.CharField(max_length=128, default="")
    leased_until = models.DateTimeField(null=True)
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["project", "-asked_at"], name="backfill_by_time")]

    def __str__(self) -> str:
        return f"Backfill of {self.project} since {self.since:%Y-%m-%d}"
