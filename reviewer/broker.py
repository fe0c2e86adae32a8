"""The broker's side of Celery: what each kind needs, and pgmq on connections that keep the whole address.

kombu's pgmq client keeps host, port, name, user and password of an address and drops the rest: sockets
in a URL, TLS, time limits, passwords with spaces. So the transport here hands it a pool of our own.
"""

from typing import Any, cast

import psycopg
from django.conf import settings
from kombu.transport import pgmq
from pgmq import PGMQueue
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool

QUEUE = "whetstone"


def database_address() -> str:
    """The database as libpq wants it: DATABASE_URL, else the home's own."""
    return str(settings.DATABASE_URL or settings.HOME.database_url)


def is_pgmq(url: str) -> bool:
    return url.startswith("pgmq://")


def pgmq_address(url: str) -> str:
    """Where the pgmq queue lives: `pgmq://` alone means our own database."""
    return database_address() if url == "pgmq://" else "postgresql" + url.removeprefix("pgmq")


def options(url: str) -> dict[str, Any]:
    """What each kind of broker needs to redeliver in time and to answer at once.

    A publisher tries twice and gives up: by default a broker that is away would hold a request for seconds.
    """
    patience = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
    lease = {"visibility_timeout": settings.TASK_LEASE, **patience}
    if is_pgmq(url):
        return {
            **lease,
            "init_extension": False,
            "polling_interval": 0.1,
            "wait_time_seconds": 0,
            "pool_size": 4,
            "pool_timeout": 5,
            "conn_string": pgmq_address(url),
        }
    if url.startswith("redis"):
        # By default Redis would look for leases that ran out every 100 s only, and a worker killed during
        # that look would stop all others from looking for 5 minutes.
        restore = {"unacked_restore_interval": 5, "unacked_restore_throttle": 1, "unacked_mutex_expire": 15}
        return {
            **lease,
            **restore,
            "socket_connect_timeout": 2,
            "socket_timeout": 5,
            "health_check_interval": 10,
        }
    return patience


def shown_url(url: str) -> str:
    """The URL for kombu, which cannot read libpq's options in one; our transport has the whole address."""
    return "pgmq://" if is_pgmq(url) else url


def transport(url: str) -> str | None:
    """The transport's name where it is ours; kombu knows the others by the URL."""
    return "reviewer.broker:PgmqTransport" if is_pgmq(url) else None


class PgmqTransport(pgmq.Transport):
    """kombu's pgmq transport with a connection pool made from the full address."""

    def _create_pgmq_client(self) -> PGMQueue:
        wanted: dict[str, Any] = cast(Any, self.client).transport_options
        address = make_conninfo(wanted["conn_string"], connect_timeout=2, application_name="whetstone queue")
        psycopg.connect(address).close()  # a pool would try for seconds before it says that nobody answers
        pool = ConnectionPool(
            address,
            min_size=1,
            max_size=wanted["pool_size"],
            timeout=wanted["pool_timeout"],
            reconnect_timeout=wanted["pool_timeout"],
            open=True,
        )
        client = PGMQueue(
            conn_string="host=in-the-pool", pool=pool, vt=wanted["visibility_timeout"], init_extension=False
        )
        client._own_pool = True  # closing the client closes the pool
        return client

    def establish_connection(self) -> Any:
        """As in kombu, but a failure leaves no pool behind that goes on trying."""
        try:
            return super().establish_connection()
        except Exception:
            if self._pgmq_client is not None:
                self._pgmq_client.close()
                self._pgmq_client = None
            raise
