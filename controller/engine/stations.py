"""Where somebody comes from, as tries and connections are counted: an address, or in IPv6 the network it is of."""

from ipaddress import IPv6Address, IPv6Network, ip_address

MOST_LETTERS = 64


def network_of(address: str) -> str:
    """An IPv4 address, the 64 bits of a network in IPv6, of which one machine has as many addresses as it likes.

    What is no address is taken as it is, cut to MOST_LETTERS.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:MOST_LETTERS]
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped is not None else str(IPv6Network((found, 64), strict=False))
    return str(found)
