"""What a table's card on the floor names of its alarms."""

from controller.api.panel.routes import grouped_alarms, own_alarms

CLOCK = {"alarm": "clock_unsynchronised", "source": "clock", "open": True}
STOPPED = {"alarm": "bets_stopped", "source": "people", "why": "sensor en duda"}
DEVICE = {"alarm": "device_down", "device": "cajas"}


def test_a_card_names_what_stops_its_table_first() -> None:
    own = own_alarms({"alarms": [CLOCK, DEVICE, STOPPED]})
    assert [each["alarm"] for each in own] == ["bets_stopped", "device_down"]


def test_an_alarm_of_the_node_stands_once_and_on_no_card() -> None:
    tables = [{"id": f"t{number}", "name": f"Mesa {number}", "alarms": [CLOCK]} for number in (1, 2, 3)]
    assert [own_alarms(table) for table in tables] == [[], [], []]
    assert grouped_alarms(tables) == [CLOCK]
