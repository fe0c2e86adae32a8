#!/usr/bin/env python
"""The door to every command. Embedded homes get their database before Django looks for it."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewer.settings")
    from reviewer import local

    with local.database_for(sys.argv):
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
