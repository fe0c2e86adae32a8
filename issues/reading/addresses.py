"""Ids of others in our addresses. Pure: imports neither Django nor Celery.

Trace and session ids come from clients and may hold anything: slashes, line breaks, a lone "..". Plain ones stand
in the address as they are; the others as a tilde and base64, so that no proxy or browser can tidy them away.
"""

import base64
import binascii
import re

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]*")


def address(value: str) -> str:
    """The id as a part of an address."""
    if _PLAIN.fullmatch(value):
        return value
    return "~" + base64.urlsafe_b64encode(value.encode("utf-8", "replace")).decode().rstrip("=")


class ForeignId:
    """A path converter: `<id:trace_id>`. Reads both forms, writes the plain one where it can."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        if not value.startswith("~"):
            return value
        try:
            return base64.urlsafe_b64decode(value[1:] + "=" * (-len(value[1:]) % 4)).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise ValueError("not an id") from error

    def to_url(self, value: str) -> str:
        return address(value)
