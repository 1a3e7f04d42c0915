"""Whether what a PostgreSQL server acknowledges is on a second machine too: asked of the server itself."""

from sqlalchemy.exc import DBAPIError

from controller.adapters.journal.errors import JournalUnfit
from controller.adapters.journal.postgresql import engine_of

SYNCHRONOUS = frozenset({"sync", "quorum"})
LONGEST_S = 5
"""How long a server is waited for; the next look asks again."""
_LOOK = (
    "SELECT current_setting('synchronous_standby_names'), pg_has_role('pg_read_all_stats', 'USAGE'), current_user,"
    " coalesce((SELECT array_agg(application_name || ' ' || sync_state) FROM pg_stat_replication"
    " WHERE state = 'streaming'), '{}')"
)


def missing(url: str) -> str:
    """What the server lacks, as its own names say it; empty when a synchronous standby is connected.

    Sessions of journals wait for the standby whatever the server's `synchronous_commit` is (see `open_postgresql`).
    """
    engine = engine_of(url, connect_timeout=LONGEST_S)
    try:
        with engine.connect() as connection:
            names, visible, role, standbys = connection.exec_driver_sql(_LOOK).one()
    except DBAPIError as error:
        return " ".join(str(error.orig).split())
    finally:
        engine.dispose()
    if not names:
        return "synchronous_standby_names = ''"
    if not visible:
        return f"GRANT pg_read_all_stats TO {role}"
    if not any(standby.rpartition(" ")[2] in SYNCHRONOUS for standby in standbys):
        return f"pg_stat_replication: {', '.join(standbys) or '-'}"
    return ""


def check_replica(url: str) -> None:
    """Raise JournalUnfit when the server has no synchronous standby."""
    if lacks := missing(url):
        raise JournalUnfit(f"the database has no synchronous replica, which state.replica requires ({lacks})")
