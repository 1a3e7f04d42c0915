"""A journal's export as a stream: one of the node at a time, and none that nobody takes."""

import asyncio
import logging
from collections.abc import Iterator

from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from controller.api.kept import Kept
from controller.api.problems import Problem
from controller.core.refusal import Refusal, refuse

RETRY_AFTER_S = 30
TAKEN_WITHIN_S = 60.0
"""A browser that takes nothing of it for so long is let go, so that others have their turn."""

log = logging.getLogger("carrusel.api")


class NotTaken(Exception):
    """Nobody takes what is sent; a TimeoutError would read as a broken connection."""


class OneExport(StreamingResponse):
    """An export that refuses to begin while another one of the node goes on: each reads and checks a whole journal."""

    def __init__(self, kept: Kept, parts: Iterator[bytes], media_type: str, headers: dict[str, str]) -> None:
        super().__init__(parts, media_type=media_type, headers=headers)
        self._kept = kept

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._kept.is_exporting:
            refused = refuse(Refusal.EXPORT_IN_COURSE, wait_s=RETRY_AFTER_S)
            raise Problem(refused, {"Retry-After": str(RETRY_AFTER_S)})

        async def bounded(message: Message) -> None:
            try:
                async with asyncio.timeout(TAKEN_WITHIN_S):
                    await send(message)
            except TimeoutError as late:
                raise NotTaken from late

        self._kept.is_exporting = True
        try:
            await super().__call__(scope, receive, bounded)
        except NotTaken:
            log.warning("an export was not taken for %d s and is let go", TAKEN_WITHIN_S)
        finally:
            self._kept.is_exporting = False
