"""Journals whose chain is good and whose content is not: histories told anew, postings, bodies, indexes, signatures."""

from functools import partial

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.adapters.daily import check_journal
from controller.adapters.journal.chain import NO_CHAIN, Head, Record, canonical, link, rows_on
from controller.adapters.journal.checkpoints import Signer, public_bytes
from controller.adapters.journal.equations import equations, pools_hold
from controller.adapters.journal.errors import Fault, JournalError
from controller.adapters.journal.journal import Journal
from controller.adapters.journal.reading import Reading
from controller.adapters.journal.store import Store
from controller.adapters.journal.verify import verify
from controller.core.ledger import Entry, LedgerBroken, move
from tests.adapters.journal_looks import ENTRIES, KEY, fill, first, look, opened, plant, rewritten
from tests.adapters.journal_places import Place


@pytest.fixture(scope="module")
def sound(module_place: Place) -> Place:
    fill(module_place, ENTRIES)
    return module_place


@pytest.fixture
def copy(sound: Place) -> Place:
    return sound.copy()


def test_a_history_rewritten_with_a_fresh_chain_shows_at_the_checkpoint(copy: Place) -> None:
    plant(copy, rewritten(copy, 14, lambda record: msgspec.structs.replace(record, actor="thief")))
    report = look(copy)
    assert first(report) == (11, Fault.OTHER_HISTORY)
    assert report.last_good_checkpoint is not None and report.last_good_checkpoint.seq == 10
    copy.tamper("DELETE FROM checkpoints WHERE seq > 10")
    assert look(copy).ok
    honest = Signer(KEY, "t1", "aa").sign(Head(20, bytes(32)))
    assert first(look(copy, (honest,))) == (11, Fault.OTHER_HISTORY)


def test_unbalanced_postings_are_found_under_a_good_chain(copy: Place) -> None:
    uneven = canonical([["patrons", -5], ["bets", 6]])
    plant(copy, rewritten(copy, 25, lambda record: msgspec.structs.replace(record, postings=uneven)))
    assert first(look(copy)) == (25, Fault.UNBALANCED)


@pytest.mark.promise("P9")
@pytest.mark.parametrize("kind", ["bet", "ledger.counters", "link.record"])
@pytest.mark.parametrize("body", [b"", b"{", b'{"record":{"kind":"counters","seq":1', b"\xff"])
def test_a_body_that_is_no_json_is_found_under_a_good_chain(copy: Place, kind: str, body: bytes) -> None:
    """Whoever reads it or not: a ledger's record is read by its own reader."""
    plant(copy, rewritten(copy, 25, lambda record: msgspec.structs.replace(record, kind=kind, body=body)))
    with opened(copy) as journal:
        assert first(verify(journal)) == first(verify(journal, equations=equations())) == (25, Fault.ALTERED)


@pytest.mark.promise("P9")
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("bets.closed", b"[]"),
        ("bets.closed", b'{"contribution":{"meter":5}}'),
        ("bets.closed", b'{"contribution":{"main":5,"reserve":5,"house":5,"pools":{"carta":5}}}'),
        ("link.counted", b'{"main_micros":"5"}'),
        ("draw.prize", b'{"kind":"another","pool_micros":5}'),
        ("restored.settled", b'{"pools":7}'),
        ("host.adopting", b"7"),
        ("bet", b"[" * 5_000 + b"]" * 5_000),
    ],
)
def test_a_body_in_no_form_that_is_known_is_a_finding(copy: Place, kind: str, body: bytes) -> None:
    plant(copy, rewritten(copy, 25, lambda record: msgspec.structs.replace(record, kind=kind, body=body)))
    with opened(copy) as journal:
        seq, fault = first(verify(journal, equations=equations()))
        assert (seq, fault) == (25, Fault.UNREADABLE)
        with pytest.raises(LedgerBroken, match="seq 25"):
            check_journal(journal)


@pytest.mark.promise("P9")
def test_an_index_that_leads_astray_is_found_and_made_anew(journal_url: str) -> None:
    hands = [Entry(f"e{number}", "game.event", {"hand": number // 50}) for number in range(100)]
    told = [*hands, Entry("p", "prize.paid", {"prize": "t1/i/4/2"}), Entry("l", "login.passed", {"login": "ana"})]
    with Journal.open(journal_url, name="t1") as journal:
        journal.append_now(told, 1)
        sound = journal.ask_now(Store.mentions)
        assert verify(journal).ok
        for statement, seq in [
            ("DELETE FROM mentions WHERE subject = 'hand 1'", 52),
            ("DELETE FROM mentions WHERE subject = 'hand 0' AND seq > 2", 34),
            ("DELETE FROM mentions WHERE subject = 'people'", 103),
            ("UPDATE mentions SET seq = 100 WHERE substr(subject, 1, 5) = 'prize'", 100),
            ("INSERT INTO mentions VALUES ('hand 7', 60)", 60),
        ]:
            journal.ask_now(partial(Store.execute, sql=statement))
            report = verify(journal)
            assert first(report) == (seq, Fault.BAD_INDEX), statement
            assert (report.entries, len(report.findings)) == (103, 1)  # the entries hold all the same
            check_journal(journal)
            assert journal.ask_now(Store.mentions) == sound
        journal.append_now([Entry("e100", "game.event", {"hand": 2})], 1)
        assert verify(journal).ok
        journal.ask_now(partial(Store.execute, sql="INSERT INTO mentions VALUES ('hand 2', 900)"))
        assert first(verify(journal)) == (105, Fault.CUT_TAIL)
        with pytest.raises(LedgerBroken, match="cut_tail"):  # nothing is made anew that says more was there
            check_journal(journal)


def test_only_the_keys_one_trusts_count(copy: Place) -> None:
    stranger = public_bytes(Ed25519PrivateKey.generate())
    with opened(copy) as journal:
        assert verify(journal, keys=[public_bytes(KEY)]).ok
        assert first(verify(journal, keys=[stranger])) == (10, Fault.BAD_CHECKPOINT)


@pytest.mark.promise("P4")
def test_an_equation_is_asked_after_every_entry(copy: Place) -> None:
    held = {"bets": 0}

    def bound(entry: Reading) -> str | None:
        held["bets"] += sum(micros for account, micros in entry.postings if account == "bets")
        return "the bets are more than they can be" if held["bets"] > 50_000_000 else None

    with opened(copy) as journal:
        report = verify(journal, equations=[bound])
    assert first(report) == (12, Fault.EQUATION)


def test_a_pool_that_gave_more_than_it_had_is_found(journal_url: str) -> None:
    with Journal.open(journal_url, name="t1") as journal:
        journal.append_now([Entry("a", "in", {}, move("contributions", "pool.main:t1", 5))], 0)
        journal.append_now([Entry("b", "out", {}, move("pool.main:t1", "awards", 5))], 0)
        assert verify(journal, equations=[pools_hold()]).ok
        journal.append_now([Entry("c", "out", {}, move("pool.main:t1", "awards", 1))], 0)
        assert first(verify(journal, equations=[pools_hold()])) == (4, Fault.EQUATION)


def test_a_peers_cosignature_is_kept_and_checked(copy: Place) -> None:
    peer = Ed25519PrivateKey.generate()
    with opened(copy) as journal:
        point = journal.checkpoints()[1]
        journal.cosign(point.seq, "host", public_bytes(peer), peer.sign(point.message()))
        assert verify(journal).ok
        with pytest.raises(JournalError):
            journal.cosign(point.seq, "t2", public_bytes(peer), bytes(64))
    copy.tamper(("UPDATE cosignatures SET public_key = ?", (bytes(32),)))
    assert first(look(copy)) == (20, Fault.BAD_CHECKPOINT)


def test_the_chain_is_what_the_documentation_says() -> None:
    """The vector was made with printf and sha256sum."""
    record = Record("a", "k", "table", b"", b'{"x":1}', b"[]")
    (row,) = rows_on(Head(0, NO_CHAIN), [record], 5)
    assert row.chain == link(NO_CHAIN, row)
    assert row.chain.hex() == "47ffeaf0fe51c8d74a198812c6945f1ad0d15add6d4747f360ccd14e039fd602"
