"""The whole configuration of a node, as the rest of the house takes it."""

from pydantic import Field

from controller.config.base import Model
from controller.config.closing import Closing
from controller.config.faults import Fault
from controller.config.papers import Papers
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
    papers: Papers = Papers()
    closing: Closing = Closing()
    carousels: tuple[Carousel, ...] = ()
    tables: tuple[Table, ...] = ()
    warnings: tuple[Fault, ...] = Field(default=(), exclude=True)

    def table(self, table_id: str) -> Table:
        """The table of that id; KeyError when there is none."""
        return {table.id: table for table in self.tables}[table_id]

    def carousel(self, carousel_id: str) -> Carousel:
        """The carousel of that id; KeyError when there is none (a table of its own has none here)."""
        return {carousel.id: carousel for carousel in self.carousels}[carousel_id]

    def accepted(self, carousel_id: str) -> frozenset[str]:
        """Tables that a carousel of this node lets in: this node's own of it, and those of other nodes that it names.

        A table that plays for itself is let into its own carousel of one, as after a restore. None where another node
        is the host.
        """
        named = next((each for each in self.carousels if each.id == carousel_id), None)
        if named is not None and not named.is_host:
            return frozenset()
        own = {table.id for table in self.tables if table.carousel_id == carousel_id}
        return frozenset(own | set(named.accept if named is not None else ()))

    def members(self, carousel_id: str) -> tuple[Table, ...]:
        """Tables of this node in a carousel."""
        return tuple(table for table in self.tables if table.carousel == carousel_id)
