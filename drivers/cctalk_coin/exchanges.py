"""The exchanges that the driver has with a coin acceptor (ccTalk 4.7, part 3)."""

from enum import Enum

from drivers.cctalk_coin.codec import EVENT_BUFFER, Header

CREDIT_BYTES = 1 + 2 * EVENT_BUFFER


class Asked(Enum):
    """What is on the line; in parentheses the header."""

    PRESENT = "simple poll (254)"
    SERIAL = "serial number (242)"
    CATEGORY = "equipment category (245)"
    PRODUCT = "product code (244)"
    MASK = "coin mask (230)"
    INHIBIT = "master inhibit (227)"
    WRITE_MASK = "coin mask to write (231)"
    WRITE_INHIBIT = "master inhibit to write (228)"
    CREDIT = "buffered credit (229)"


HEADERS = {
    Asked.PRESENT: Header.SIMPLE_POLL,
    Asked.SERIAL: Header.SERIAL_NUMBER,
    Asked.CATEGORY: Header.EQUIPMENT_CATEGORY,
    Asked.PRODUCT: Header.PRODUCT_CODE,
    Asked.MASK: Header.REQUEST_INHIBIT_MASK,
    Asked.INHIBIT: Header.REQUEST_MASTER_INHIBIT,
    Asked.WRITE_MASK: Header.MODIFY_INHIBIT_MASK,
    Asked.WRITE_INHIBIT: Header.MODIFY_MASTER_INHIBIT,
    Asked.CREDIT: Header.READ_CREDIT,
}
SIZES = {
    Asked.PRESENT: 0,
    Asked.SERIAL: 3,
    Asked.MASK: 2,
    Asked.INHIBIT: 1,
    Asked.WRITE_MASK: 0,
    Asked.WRITE_INHIBIT: 0,
    Asked.CREDIT: CREDIT_BYTES,
}
IDENTITY = (Asked.PRESENT, Asked.SERIAL, Asked.CATEGORY, Asked.PRODUCT)
