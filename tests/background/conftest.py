"""The stage of these tests: a prepared instance of their own, once on pgmq and once on Redis."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.background.stage import Stage, stage


@pytest.fixture(params=["pgmq", "redis"])
def instance(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stage]:
    with stage(request.param, tmp_path) as own:
        yield own
