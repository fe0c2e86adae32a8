"""Loaded before Django: gives the run a home of its own and one PostgreSQL for all its processes.

With DATABASE_URL set the tests use that server instead.
"""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

_stage = contextlib.ExitStack()
_leads = "PYTEST_XDIST_WORKER" not in os.environ and not os.environ.get("DATABASE_URL")

if _leads:
    os.environ["WHETSTONE_HOME"] = tempfile.mkdtemp(prefix="whetstone-test-")
    os.environ.pop("CELERY_BROKER_URL", None)


def pytest_configure() -> None:
    if _leads:
        from reviewer import local
        from reviewer.home import Home

        home = Path(os.environ["WHETSTONE_HOME"])
        _stage.callback(shutil.rmtree, home, ignore_errors=True)
        _stage.enter_context(local.lent_database(Home(home), "the tests"))


def pytest_unconfigure() -> None:
    _stage.close()
