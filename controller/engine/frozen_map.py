"""A map that is never changed: setting a key gives a new map, at a cost that hardly grows with its size."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar, overload
from zlib import crc32

V = TypeVar("V")
T = TypeVar("T")
_SHARDS = 64
_SMALL = 48
"""Up to so many keys there is one shard; a change copies it whole."""


class FrozenMap(Mapping[str, V], Generic[V]):
    """Keys in shards; a change copies one of them. Iterates in the order of the keys, the same on every machine."""

    __slots__ = ("_length", "_shards")

    def __init__(self, items: Mapping[str, V] | None = None) -> None:
        self._shards: tuple[dict[str, V], ...] = _spread(dict(items)) if items else ({},)
        self._length = len(items) if items else 0

    def __getitem__(self, key: str) -> V:
        shards = self._shards
        return shards[0][key] if len(shards) == 1 else shards[crc32(key.encode()) % _SHARDS][key]

    @overload
    def get(self, key: str, /) -> V | None: ...

    @overload
    def get(self, key: str, default: V | T, /) -> V | T: ...

    def get(self, key: str, default: object = None, /) -> object:
        """One look-up, without the exception that `Mapping.get` goes through."""
        shards = self._shards
        return (shards[0] if len(shards) == 1 else shards[crc32(key.encode()) % _SHARDS]).get(key, default)

    def __contains__(self, key: object) -> bool:
        shards = self._shards
        shard = shards[0] if len(shards) == 1 else shards[crc32(str(key).encode()) % _SHARDS]
        return key in shard

    def __iter__(self) -> Iterator[str]:
        if len(self._shards) == 1:
            return iter(sorted(self._shards[0]))
        return iter(sorted(key for shard in self._shards for key in shard))

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        return f"FrozenMap({dict(self)!r})"

    def set(self, key: str, value: V) -> "FrozenMap[V]":
        """This map with one key set."""
        place = self._place(key)
        shard = {**self._shards[place], key: value}
        return self._with(place, shard, self._length + len(shard) - len(self._shards[place]))

    def without(self, key: str) -> "FrozenMap[V]":
        """This map without a key (itself when the key is not there)."""
        place = self._place(key)
        if key not in self._shards[place]:
            return self
        shard = {name: value for name, value in self._shards[place].items() if name != key}
        return self._with(place, shard, self._length - 1)

    def _place(self, key: str) -> int:
        return 0 if len(self._shards) == 1 else crc32(key.encode()) % _SHARDS

    def _with(self, place: int, shard: dict[str, V], length: int) -> "FrozenMap[V]":
        made: FrozenMap[V] = FrozenMap.__new__(FrozenMap)
        made._length = length
        if len(self._shards) > 1:
            made._shards = (*self._shards[:place], shard, *self._shards[place + 1 :])
        else:
            made._shards = (shard,) if length <= _SMALL else _spread(shard)
        return made


def _spread(items: dict[str, V]) -> tuple[dict[str, V], ...]:
    if len(items) <= _SMALL:
        return (items,)
    shards: tuple[dict[str, V], ...] = tuple({} for _ in range(_SHARDS))
    for key, value in items.items():
        shards[crc32(key.encode()) % _SHARDS][key] = value
    return shards
