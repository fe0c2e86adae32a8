"""The live server of these tests takes telemetry and serves no pages."""

from collections.abc import Iterator

import pytest
from django.test import override_settings


@pytest.fixture(autouse=True, scope="session")
def _no_static_files() -> Iterator[None]:
    """The live server outlives single tests: no static files are collected for it."""
    with override_settings(WHITENOISE_AUTOREFRESH=True):
        yield
