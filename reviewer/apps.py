"""Django's handle on the house."""

from django.apps import AppConfig


class ReviewerConfig(AppConfig):
    name = "reviewer"
    verbose_name = "Whetstone"

    def ready(self) -> None:
        """Load the Celery application, so that `.delay()` finds its broker in every process."""
        from reviewer import celery, handbook  # noqa: F401

        handbook.TABLES["api"] = _reference


def _reference() -> str:
    """The API as it stands, once every app has added its part."""
    from reviewer import reference, urls

    return reference.markdown(urls.api.api.get_openapi_schema(path_prefix="/api/v1/"))
