"""What tests of acts say again and again: a reason, the second person's approval, the meter."""

from typing import Any

from tests.api.office import PINS, Office

REASON = "Visto por cámara 14 con el supervisor"


async def approved(office: Office, asked: Any, by: str = "beto") -> Any:
    """The second person approves what was asked."""
    assert asked.status_code == 202, asked.text
    told = asked.json()
    second = await office.person(by)
    return await second.post(
        f"/api/v1/approvals/{told['approval']}/approve", {"digest": told["digest"], "pin": PINS[by]}
    )


def meter(office: Office) -> int:
    return office.node.hosts["gran"].runner.state.ledger.amount_micros
