"""The rooms of a running node: one for each table and each carousel host, opened from its journal and wired."""

from controller.rooms.host_room import HostRoom
from controller.rooms.posts import Posts, new_id
from controller.rooms.site import journal_place, screen_currency
from controller.rooms.table_room import TableRoom

__all__ = ["HostRoom", "Posts", "TableRoom", "journal_place", "new_id", "screen_currency"]
