"""What a project says about its intake: what is masked, how long it is kept, what counts as production."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from reviewer.models import Project


def default_kinds() -> list[str]:
    return ["secrets"]


def default_environments() -> list[str]:
    return ["production", "prod", ""]


class IntakeRules(models.Model):
    """One row a project that has changed anything; without a row the defaults hold."""

    project = models.OneToOneField(Project, on_delete=models.PROTECT, primary_key=True, related_name="intake_rules")
    masked_kinds = ArrayField(models.CharField(max_length=20), default=default_kinds, blank=True)
    patterns = models.JSONField(default=list, help_text="Own patterns: a list of {name, pattern}.")
    keep_days = models.PositiveIntegerField(default=90, help_text="Days until traces are deleted; 0 keeps them.")
    production = ArrayField(
        models.CharField(max_length=200, blank=True),
        default=default_environments,
        help_text="Environments whose failures count; an empty name stands for traces that name none.",
    )

    def __str__(self) -> str:
        return f"Intake rules of {self.project}"
