"""The whole configuration of a node, as the rest of the house takes it."""

from pydantic import Field

from controller.config.base import Model
from controller.config.faults import Fault
from controller.config.site import Api, Carousel, Events, Mqtt, Screens, Site, State
from controller.config.table import Table


class Config(Model):
    """Everything a node runs by; frozen. `warnings` holds what the loader noticed and did not refuse."""

    site: Site
    state: State = State()
    api: Api = Api()
    screens: Screens = Screens()
    mqtt: Mqtt | None = None
    events: Events = Events()
    carousels: tuple[Carousel, ...] = ()
    tables: tuple[Table, ...] = ()
    warnings: tuple[Fault, ...] = Field(default=(), exclude=True)

    def table(self, table_id: str) -> Table:
        """The table of that id; KeyError when there is none."""
        return {table.id: table for table in self.tables}[table_id]

    def carousel(self, carousel_id: str) -> Carousel:
        """The carousel of that id; KeyError when there is none (a table of its own has none here)."""
        return {carousel.id: carousel for carousel in self.carousels}[carousel_id]

    def members(self, carousel_id: str) -> tuple[Table, ...]:
        """Tables of this node in a carousel."""
        return tuple(table for table in self.tables if table.carousel == carousel_id)
