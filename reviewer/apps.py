"""Django's handle on the house."""

from django.apps import AppConfig


class ReviewerConfig(AppConfig):
    name = "reviewer"
    verbose_name = "Whetstone"

    def ready(self) -> None:
        """Load the Celery application, so that `.delay()` finds its broker in every process."""
        from reviewer import celery  # noqa: F401
