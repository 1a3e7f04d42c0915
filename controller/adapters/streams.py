"""Streams that outlive every request end whole with their listener, before the server would cut them with an error."""

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STREAM = "text/event-stream"


class EndedStreams:
    """An application whose event streams can be ended; other answers are left their time to finish."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._streams: set[asyncio.Task[object]] = set()
        self._ending = False

    def end(self) -> None:
        """From here on no stream goes on: those that stand are given their end, new ones get theirs at once."""
        self._ending = True
        for stream in self._streams:
            stream.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        assert task is not None
        whole = False

        async def sent(message: Message) -> None:
            nonlocal whole
            if message["type"] == "http.response.start" and _is_stream(message):
                self._streams.add(task)
                if self._ending:
                    task.cancel()
            await send(message)
            whole = message["type"] == "http.response.body" and not message.get("more_body", False)

        try:
            await self._app(scope, receive, sent)
        except asyncio.CancelledError:
            if not self._ending or task not in self._streams:
                raise
            task.uncancel()
            if not whole:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._streams.discard(task)


def _is_stream(start: Message) -> bool:
    return Headers(raw=start["headers"]).get("content-type", "").startswith(STREAM)


async def end_stream_watcher() -> None:
    """End the task that sse-starlette leaves on the loop with the first stream; the next stream makes it anew.

    It looks for the signal handlers of uvicorn, which the node does not install: streams end with their listener.
    """
    left = [task for task in asyncio.all_tasks() if getattr(task.get_coro(), "__name__", "") == "_shutdown_watcher"]
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
