"""The links of a running node: who may speak on them, over which way each end of a carousel goes."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.events.alarms import LinkRejections
from controller.adapters.link.broker_login import broker_of
from controller.adapters.link.local import LocalHub
from controller.adapters.link.mqtt import MqttLink
from controller.adapters.link.ports import Link
from controller.adapters.link.topics import Topics
from controller.adapters.link.wire import HOST, Rejected, Wire, WireFault, key_name
from controller.config.model import Config
from controller.engine.host_state import HostState, Phase
from controller.rooms import HostRoom, Posts, TableRoom


def may_speak_to(
    state: HostState, accept: Mapping[str, str], own: Mapping[str, str], sender: str, incarnation: str, key: str
) -> bool:
    """Whether a key may speak for a table to a host. accept: tables of other nodes with the key that the file gives
    them, empty for none; own: tables of this node with this node's key.

    A host that serves goes by its ledger. One that is to take over may lack joins and changed keys: the file's key
    counts then, else the one that the table had in this host's own ledger; only where there is neither, any.
    """
    account = state.ledger.account(sender, incarnation)
    if sender in own:
        return key == own[sender] and (account is not None or state.phase is not Phase.SERVING)
    if state.phase is Phase.SERVING:
        return account is not None and account.profile.key == key
    if sender not in accept:
        return False
    known = account or state.ledger.tables.get(sender)
    expected = accept[sender] or ("" if known is None else known.profile.key)
    return expected in ("", key)


class Door:
    """Who may speak to a host, and what is said of whom it does not let in. See `may_speak_to` for accept and own."""

    def __init__(self, state: Callable[[], HostState], accept: Mapping[str, str], own: Mapping[str, str]) -> None:
        self._state = state
        self._accept = accept
        self._own = own
        self._waits: dict[str, bool] = {}

    def may_speak(self, sender: str, incarnation: str, key: str) -> bool:
        """Whether the key speaks for the table; of a table that the file names it is noted why not."""
        state = self._state()
        spoken = may_speak_to(state, self._accept, self._own, sender, incarnation, key)
        expected = self._own.get(sender, self._accept.get(sender))
        if expected is not None:
            unknown = state.phase is Phase.SERVING and state.ledger.account(sender, incarnation) is None
            self._waits[sender] = not spoken and unknown and expected in ("", key)
        return spoken

    def named(self, what: Rejected) -> Rejected:
        """A table that is accepted and not enrolled (or not again, after a restore) waits for two people, no more."""
        waits = what.fault is WireFault.UNKNOWN_KEY and self._waits.get(what.sender, False)
        return replace(what, fault=WireFault.NOT_ENROLLED) if waits else what


class Links:
    """Carousels over the broker where there is one and the table asks for it; within the process otherwise."""

    def __init__(
        self,
        config: Config,
        key: Ed25519PrivateKey,
        tables: Collection[str],
        host_keys: Callable[[str], tuple[str, ...]],
    ) -> None:
        self._config = config
        self._key = key
        self._tables = tables
        self._host_keys = host_keys
        self._hubs: dict[str, LocalHub] = {}

    def host(self, room: HostRoom) -> Link:
        if not self._over_broker(room.carousel):
            return self._hub(room.carousel).host()
        topics = Topics(self._config.site.id, room.carousel)

        named = next((each for each in self._config.carousels if each.id == room.carousel), None)
        accept = {} if named is None else {table: named.accept_keys.get(table, "") for table in named.accept}
        own = dict.fromkeys(self._tables, key_name(self._key))

        door = Door(lambda: room.runner.state, accept, own)
        return self._mqtt(room.carousel, "host", topics, topics.for_host(), door.may_speak, room.posts, door.named)

    def table(self, room: TableRoom) -> Link:
        carousel = room.table.carousel_id
        if not self._over_broker(carousel):
            return self._hub(carousel).table(room.table.id)
        topics = Topics(self._config.site.id, carousel)
        hosts = self._host_keys(carousel)

        def may_speak(sender: str, incarnation: str, key: str) -> bool:
            return sender == HOST and (not hosts or key in hosts)

        return self._mqtt(carousel, room.table.id, topics, topics.for_table(room.table.id), may_speak, room.posts)

    def _over_broker(self, carousel: str) -> bool:
        linked = any(each.id == carousel for each in self._config.carousels)
        return linked and self._config.mqtt is not None

    def _hub(self, carousel: str) -> LocalHub:
        return self._hubs.setdefault(carousel, LocalHub(carousel, self._config.site.id))

    def _mqtt(
        self,
        carousel: str,
        end: str,
        topics: Topics,
        listens_to: tuple[str, ...],
        may_speak: Callable[[str, str, str], bool],
        posts: Posts,
        named: Callable[[Rejected], Rejected] = lambda what: what,
    ) -> Link:
        mqtt = self._config.mqtt
        assert mqtt is not None, "a broker is configured"
        wire = Wire(self._config.site.id, carousel, self._key, may_speak)
        told = LinkRejections(posts.tell)
        client_id = f"{self._config.site.id}-{carousel}-{end}-{key_name(self._key)[:12]}"
        return MqttLink(
            broker_of(mqtt, client_id),
            topics,
            wire,
            listens_to,
            on_rejected=lambda what: told.rejected(named(what)),
        )
