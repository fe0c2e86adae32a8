"""Where an embedded instance keeps its state: one folder, its paths, its format and its key.

Read by `settings.py` (to find the database) and by `local.py` (to run it). Pure: imports neither
Django nor Celery.
"""

import hashlib
import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
FORMAT = 1
"""Raised when a home can no longer be read by the code before; older homes get a sentence."""

SOCKET_LIMIT = 90
"""The system allows 107 bytes for a socket's path; PostgreSQL appends `/.s.PGSQL.5432.lock`."""


@dataclass(frozen=True)
class Home:
    """The paths inside one state folder."""

    path: Path

    @classmethod
    def current(cls) -> "Home":
        """The home this process belongs to: WHETSTONE_HOME, else `.whetstone` in the checkout."""
        return cls(Path(os.environ.get("WHETSTONE_HOME") or CHECKOUT / ".whetstone").resolve())

    @property
    def database(self) -> Path:
        return self.path / "postgres"

    @property
    def run(self) -> Path:
        return self.path / "run"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def mail(self) -> Path:
        return self.path / "mail"

    @property
    def demo(self) -> Path:
        """What the simulated shop keeps: its key, how far its history is."""
        return self.path / "demo"

    @property
    def static(self) -> Path:
        return self.path / "static"

    @property
    def version_file(self) -> Path:
        return self.path / "FORMAT"

    @property
    def sockets(self) -> Path:
        """Where PostgreSQL listens: inside home, or in the temporary folder when the path is too long."""
        inside = self.path / "sock"
        if len(os.fsencode(inside)) <= SOCKET_LIMIT:
            return inside
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"whetstone-{digest}"

    @property
    def database_url(self) -> str:
        return f"postgresql://whetstone@/whetstone?host={self.sockets}"

    def secret_key(self) -> str:
        """The key that signs sessions; made by `up`, so before that a throw-away one."""
        try:
            return (self.path / "secret_key").read_text().strip()
        except OSError:
            return secrets.token_urlsafe(50)
