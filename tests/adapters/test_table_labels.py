"""What a table of another node is called: its name does not travel, its id does."""

import pytest

from controller.adapters.screens.table_labels import label_of

OWN = {"m-1": "7", "t2": "2", "mesa-9": "VIP"}


@pytest.mark.parametrize(
    ("table", "label"),
    [
        ("m-1", "7"),
        ("mesa-9", "VIP"),
        ("mesa-3", "3"),
        ("mesa_03", "3"),
        ("mesa3", "3"),
        ("table-12", "12"),
        ("t4", "4"),
        ("m4", "4"),
        ("mesa-0", "0"),
        ("mesa-norte", "norte"),
        ("norte-3", "norte-3"),
        ("mesa", "mesa"),
        ("mesa-7", "mesa-7"),
        ("t02", "t02"),
        ("mesanorte", "mesanorte"),
    ],
)
def test_an_id_without_the_word_that_stands_before_it_and_never_what_another_is_called(table: str, label: str) -> None:
    assert label_of(OWN, table) == label
