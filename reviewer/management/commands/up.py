"""`manage.py up`: the whole product on one machine, with nothing to install beside it."""

import signal
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

from reviewer import local
from reviewer.home import Home
from reviewer.supervisor import Part, Supervisor

WEB_PROCESSES = 2
WORKER_PROCESSES = 2


class Command(BaseCommand):
    help = "Run Whetstone on this machine: database, worker and web server under one supervisor."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="Port of the web server (8000).")
        parser.add_argument("--home", help="State folder (default: WHETSTONE_HOME, else .whetstone here).")
        parser.add_argument("--no-demo", action="store_true", help="Without the simulated shop and its accounts.")
        parser.add_argument("--demo-port", type=int, default=0, help="Port of the simulated shop (the next one).")
        parser.add_argument(
            "--demo-rate", type=float, default=2.0, help="Live traces a second of the shop (2); 0: none."
        )
        parser.add_argument("--reset", action="store_true", help="Delete everything in the home first.")

    def handle(self, *args: Any, port: int, reset: bool, demo_port: int, demo_rate: float, **options: Any) -> None:
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # a shell's background jobs ignore SIGINT
            signal.signal(name, _interrupt)
        if settings.DATABASE_URL:
            local.give_up(local.Trouble(
                "DATABASE_URL is set, and `up` runs the embedded database. Unset it, or start web, worker and "
                "beat separately (see /docs/production)."
            ))  # fmt: skip
        try:
            run(
                settings.HOME,
                port=port,
                reset=reset,
                shop=shop_part(settings.HOME, port, demo_port or port + 1, demo_rate),
            )
        except local.Owned as owned:
            where = f" at {owned.owner['url']}" if "url" in owned.owner else ""
            local.give_up(local.Trouble(
                f"{owned.owner.get('what', 'Another process')} (process {owned.owner.get('pid', 'unknown')}) already "
                f"runs on {settings.HOME.path}{where}. Use that one, stop it, or choose another folder with --home."
            ))  # fmt: skip
        except local.TROUBLES as trouble:
            local.give_up(trouble)
        except KeyboardInterrupt:
            sys.exit(0)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def run(home: Home, *, port: int, reset: bool, shop: Part | None = None) -> None:
    """Own the home, start the parts, and stay until told to stop."""
    url = f"http://127.0.0.1:{port}"
    local.claim_home(home)
    with local.owning(home, "up") as owner:
        local.check_port(port)
        local.note(owner, what="up", url=url)
        if reset:
            local.reset_home(home)
        local.settle_home(home)
        supervisor = Supervisor(home)
        try:
            supervisor.start_database()
            call_command("prepare", verbosity=0)
            welcome = sign_in_advice(url)
            connections.close_all()
            supervisor.start(worker_part())
            supervisor.start(beat_part(home))
            web = web_part(port)
            supervisor.start(web)
            supervisor.wait(lambda: local.web_answers(port), web, "The web server did not start", 60)
            if shop is not None:
                supervisor.start(shop)
            print(f"\nWhetstone is ready at {url}\n{welcome}\n", flush=True)
            while True:
                supervisor.watch_once()
                time.sleep(0.2)
        except KeyboardInterrupt:
            supervisor.console.say("Stopping.")
        finally:
            for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(name, signal.SIG_IGN)
            supervisor.stop()
            supervisor.console.say("Stopped.")
            supervisor.console.close()


def sign_in_advice(url: str) -> str:
    """How to get in: demo accounts, the first admin's link, or one's own account."""
    from reviewer import invitations
    from reviewer.demo.accounts import ensure_demo_accounts, ensure_demo_key

    if settings.DEMO:
        ensure_demo_key(ensure_demo_accounts(), settings.HOME.demo)
        return "Open it and choose one of the three demo accounts."
    token = invitations.first_admin_token()
    if token:
        return f"Nobody is admin yet. This link makes the first one, once: {url}/invitation/{token}"
    return "Sign in with your account."


def beat_part(home: Home) -> Part:
    """A part of its own: inside the worker nothing would bring it back."""
    return Part(
        "beat",
        [
            sys.executable, "-m", "celery", "--quiet", "-A", "reviewer", "beat", "--pidfile=",
            "--schedule", str(home.run / "schedule"), "--loglevel", settings.LOG_LEVEL,
        ],
    )  # fmt: skip


def worker_part() -> Part:
    return Part(
        "worker",
        [
            sys.executable, "-m", "celery", "--quiet", "-A", "reviewer", "worker",
            "--concurrency", str(WORKER_PROCESSES), "--loglevel", settings.LOG_LEVEL,
            "--without-gossip", "--without-mingle", "--without-heartbeat",
        ],
        grace=15,
    )  # fmt: skip


def web_part(port: int) -> Part:
    return Part(
        "web",
        [
            sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port),
            "--workers", str(WEB_PROCESSES), "--blocking-threads", "2", "--respawn-failed-workers",
            "--workers-kill-timeout", "5", "--no-ws", "reviewer.wsgi:application",
        ],
    )  # fmt: skip


def shop_part(home: Home, port: int, own_port: int, rate: float) -> Part | None:
    """The simulated shop, in demo mode: it sends to us over HTTP as any app would."""
    if not settings.DEMO:
        return None
    return Part(
        "demo",
        [
            sys.executable, "-m", "reviewer.demo.serve", "--whetstone", f"http://127.0.0.1:{port}",
            "--folder", str(home.demo), "--port", str(own_port), "--rate", str(rate),
        ],
        grace=5,
    )  # fmt: skip
