"""A broker that is away when a row is written costs time, never the row."""

import socketserver
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from reviewer.celery import app
from tests.background.stage import Stage, free_port, until

pytestmark = pytest.mark.background
WRITE_A_MAIL = """
import django
django.setup()
from reviewer.mail import queue_mail
from reviewer.models import User
user = User(name="Anna", email="anna@fernwood.example")
queue_mail(user.email, template="reset", context={"user": user, "link": "https://whetstone.example/reset/x"})
"""


class Postbox(socketserver.StreamRequestHandler):
    """Just enough SMTP to receive what Django sends."""

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                letter = b"".join(iter(self.rfile.readline, b".\r\n"))
                self.server.letters.append(letter.decode())  # type: ignore[attr-defined]
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 fine\r\n")
            if word == b"QUIT":
                return


@pytest.fixture
def postbox() -> Iterator[socketserver.ThreadingTCPServer]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Postbox) as server:
        server.letters = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_mail_written_while_the_broker_is_away_is_sent_by_the_next_sweep(instance: Stage, postbox):
    mail = f"smtp://127.0.0.1:{postbox.server_address[1]}"
    nobody = f"127.0.0.1:{free_port()}"
    away = f"redis://{nobody}/0" if instance.redis else f"pgmq://nobody@{nobody}/none"
    begun = time.monotonic()
    instance.run(
        [sys.executable, "-c", WRITE_A_MAIL],
        EMAIL_URL=mail, CELERY_BROKER_URL=away, DJANGO_SETTINGS_MODULE="reviewer.settings",
    )  # fmt: skip
    assert time.monotonic() - begun < 15, "the request must not wait for a broker that is away"
    assert instance.rows("SELECT sent_at FROM reviewer_outgoingmail") == [(None,)]

    instance.worker(EMAIL_URL=mail)
    instance.send("reviewer.tasks.send_mail")  # as beat does each minute
    until(lambda: postbox.letters, within=30)
    until(lambda: instance.rows("SELECT 1 FROM reviewer_outgoingmail WHERE sent_at IS NOT NULL"), within=10)
    assert "anna@fernwood.example" in postbox.letters[0]


def test_beat_sweeps_for_mail_each_minute():
    assert app.conf.beat_schedule["send-mail"] == {"task": "reviewer.tasks.send_mail", "schedule": 60.0}


@pytest.mark.parametrize("instance", ["redis"], indirect=True)  # pgmq is the database; tests/runtime kills that
def test_a_worker_survives_a_broker_that_goes_and_comes_back(instance: Stage):
    assert instance.redis
    instance.worker()
    instance.send("probe.run", "before")
    until(lambda: instance.events("before"), within=30)
    instance.redis.stop()
    time.sleep(2)
    instance.redis.start()
    instance.send("probe.run", "after")
    until(lambda: instance.events("after"), within=60)
