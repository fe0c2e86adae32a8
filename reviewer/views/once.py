"""Showing a secret once: it waits in the session for the page after the redirect, which takes it out."""

from typing import Any

from reviewer.http import ProjectRequest


def keep(request: ProjectRequest, slot: str, value: dict[str, Any]) -> None:
    request.session[f"once_{slot}_{request.project.pk}"] = value


def take(request: ProjectRequest, slot: str) -> dict[str, Any] | None:
    """The value, gone from the session from now on. The page that shows it must not be cached."""
    value: dict[str, Any] | None = request.session.pop(f"once_{slot}_{request.project.pk}", None)
    return value
