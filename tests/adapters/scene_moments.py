"""What a table's screen shows of a pit, and cards that win and lose."""

from typing import Any

from controller.adapters.screens.scene_table import Moment, TableFace, table_scene
from controller.config.table import Table
from controller.engine.table_state import CARTA_MAGICA, JUGADOR_AFORTUNADO, DrawTerms
from display import scene as show
from tests.engine.pit import Pit

NOTHING = "2c 4s 6h 8c Tc"
STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
ROYAL = "Ad Kd Qd Jd Td"
DRAWS = (DrawTerms(CARTA_MAGICA, 50), DrawTerms(JUGADOR_AFORTUNADO, 70))


def scene(pit: Pit, public_url: Any = None, **moment: Any) -> show.TableScreen:
    table = Table.model_validate({"id": "t1", "name": "Mesa 1", "game": "oasis", "seats": 7, "carousel": "c1"})
    face = TableFace(table, pit.settings, show.Currency(), "Gran Carrusel", "1", {"t1": "1"}, public_url)
    return table_scene(face, pit.state, Moment(1_000, **moment))
