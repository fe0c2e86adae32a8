"""Django's handle on finding."""

from django.apps import AppConfig


class IssuesConfig(AppConfig):
    name = "issues"
    verbose_name = "Finding"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from issues.reading import jumping  # noqa: F401 - registers what the palette finds
