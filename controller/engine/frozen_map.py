"""A map that is never changed: setting a key gives a new map, at a cost that hardly grows with its size."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar
from zlib import crc32

V = TypeVar("V")
_SHARDS = 64


class FrozenMap(Mapping[str, V], Generic[V]):
    """Keys in 64 shards; a change copies one of them. Iterates in the order of the keys, the same on every machine."""

    __slots__ = ("_length", "_shards")

    def __init__(self, items: Mapping[str, V] | None = None) -> None:
        shards: list[dict[str, V]] = [{} for _ in range(_SHARDS)]
        for key, value in (items or {}).items():
            shards[crc32(key.encode()) % _SHARDS][key] = value
        self._shards: tuple[dict[str, V], ...] = tuple(shards)
        self._length = len(items) if items else 0

    def __getitem__(self, key: str) -> V:
        return self._shards[crc32(key.encode()) % _SHARDS][key]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(key for shard in self._shards if shard for key in shard))

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        return f"FrozenMap({dict(self)!r})"

    def set(self, key: str, value: V) -> "FrozenMap[V]":
        """This map with one key set."""
        place = crc32(key.encode()) % _SHARDS
        shard = {**self._shards[place], key: value}
        return self._with(place, shard, self._length + len(shard) - len(self._shards[place]))

    def without(self, key: str) -> "FrozenMap[V]":
        """This map without a key (itself when the key is not there)."""
        place = crc32(key.encode()) % _SHARDS
        if key not in self._shards[place]:
            return self
        shard = {name: value for name, value in self._shards[place].items() if name != key}
        return self._with(place, shard, self._length - 1)

    def _with(self, place: int, shard: dict[str, V], length: int) -> "FrozenMap[V]":
        made: FrozenMap[V] = FrozenMap.__new__(FrozenMap)
        made._shards = (*self._shards[:place], shard, *self._shards[place + 1 :])
        made._length = length
        return made
