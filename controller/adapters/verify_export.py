"""Verify a Carrusel journal export with nothing but Python: chain, balance and signed checkpoints.

Usage: python3 verify_export.py FILE [--key HEX]...      exit 0 all holds, 1 a fault was found, 2 usage

With --key only checkpoints signed by one of these public keys (64 hex digits) count. Ed25519 is verified as RFC 8032,
section 5.1.7 says, with plain integers.
"""

import hashlib
import json
import struct
import sys
from typing import Any

ENTRY_DOMAIN = b"carrusel entry v1\n"
CHAIN_DOMAIN = b"carrusel chain v1\n"
CHECKPOINT_DOMAIN = b"carrusel checkpoint v1\n"

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]


class Fault(Exception):
    """The first thing that does not hold."""


def chain_after(previous: bytes, line: dict[str, Any]) -> bytes:
    """The chain that an entry must carry after the chain before it."""
    fields = [line["id"].encode(), line["kind"].encode(), line["actor"].encode(), bytes.fromhex(line["cause"])]
    fields += [line["body"].encode(), line["postings"].encode()]
    lengths = struct.pack(">qIIIIII", line["wall_ms"], *map(len, fields))
    entry = hashlib.sha256(ENTRY_DOMAIN + lengths + b"".join(fields)).digest()
    return hashlib.sha256(CHAIN_DOMAIN + previous + struct.pack(">Q", line["seq"]) + entry).digest()


def add(p: Point, q: Point) -> Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(scalar: int, point: Point) -> Point:
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def decompress(data: bytes) -> Point | None:
    """The point of 32 bytes, None when there is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


_base = decompress(bytes([0x58] + [0x66] * 31))
if _base is None:
    raise AssertionError("the base point of RFC 8032 decompresses")
BASE: Point = _base


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature holds."""
    if len(signature) != 64:
        return False
    a, r = decompress(public_key), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    left, right = times(s, BASE), add(r, times(k, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def check_checkpoint(line: dict[str, Any], chains: dict[int, str], keys: set[str]) -> bool:
    """Check a checkpoint and its cosignatures; whether it counts."""
    point = line["checkpoint"]
    seq, chain = point["seq"], point["chain"]
    lines = (point["name"], point["incarnation"], str(seq), chain)
    message = CHECKPOINT_DOMAIN + "\n".join(lines).encode() + b"\n"
    for signed in [point, *line["cosignatures"]]:
        if not is_signed(bytes.fromhex(signed["public_key"]), message, bytes.fromhex(signed["signature"])):
            raise Fault(f"seq {seq}: the signature of {signed['public_key']} under the checkpoint does not hold")
    if chains.get(seq) != chain:
        raise Fault(f"seq {seq}: the checkpoint saw another history")
    return not keys or point["public_key"] in keys


def verify(path: str, keys: set[str]) -> str:
    """Read an export from its header to its end; a line of summary, or Fault."""
    with open(path, encoding="utf-8") as file:
        header = json.loads(file.readline())
        if header.get("carrusel_export") != 1:
            raise Fault("this is no export of version 1")
        chain, seq, counted, ended = bytes(32), 0, 0, False
        chains: dict[int, str] = {}
        last = "none"
        for text in file:
            line = json.loads(text)
            if "end" in line:
                ended = line["end"] == seq
            elif "checkpoint" in line:
                if check_checkpoint(line, chains, keys):
                    counted, last = counted + 1, f"seq {line['checkpoint']['seq']}"
            else:
                chain, seq = check_entry(line, chain, seq), seq + 1
                chains[seq] = line["chain"]
    if not ended or seq != header["entries"] or chain.hex() != header["head"]:
        raise Fault(f"seq {seq + 1}: the file ends before its end")
    return (
        f"{header['name']} ({header['incarnation']}): {seq} entries hold, head {chain.hex()}, "
        f"{counted} checkpoints hold, the last at {last}"
    )


def check_entry(line: dict[str, Any], previous: bytes, seq: int) -> bytes:
    """Check an entry's place, chain and balance; the chain after it."""
    if line["seq"] != seq + 1:
        raise Fault(f"seq {seq + 1}: missing, the next entry is {line['seq']}")
    chain = chain_after(previous, line)
    if chain.hex() != line["chain"]:
        raise Fault(f"seq {seq + 1}: the entry is not what was chained")
    if sum(micros for _, micros in json.loads(line["postings"])) != 0:
        raise Fault(f"seq {seq + 1}: the postings do not sum to zero")
    return chain


def main(arguments: list[str]) -> int:
    files, keys = [], set()
    rest = iter(arguments)
    for argument in rest:
        if argument == "--key":
            keys.add(next(rest, "").lower())
        else:
            files.append(argument)
    if len(files) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        print(verify(files[0], keys))
    except Fault as fault:
        print(f"FAULT {fault}")
        return 1
    except (KeyError, ValueError, TypeError, AttributeError, struct.error) as error:
        print(f"FAULT the file is damaged: {error!r}")
        return 1
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
