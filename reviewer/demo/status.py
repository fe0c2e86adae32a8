"""How far the history is: a small file that the demo writes and the pages read. Pure."""

import json
import os
from pathlib import Path
from typing import Any

STATUS = "history.json"
KEY = "key"


def read_status(folder: Path) -> dict[str, Any]:
    """How far the history is; empty when it has not begun."""
    try:
        told: dict[str, Any] = json.loads((folder / STATUS).read_text())
        return told
    except (OSError, ValueError):
        return {}


def write_status(folder: Path, told: dict[str, Any]) -> None:
    """Replace the status whole, so that a reader never sees half of it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = folder / f".{STATUS}"
    fresh.write_text(json.dumps(told))
    os.replace(fresh, folder / STATUS)
