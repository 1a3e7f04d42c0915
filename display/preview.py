"""`python -m display.preview`: every scene with sample data, to set up and judge a monitor before there is a table."""

from __future__ import annotations

import argparse

import uvicorn

from display.feed import Feed
from display.pages import ScreenSettings, build_app
from display.samples import all_screens


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve every scene with sample data.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8090)
    parser.add_argument("--lang", default="es", choices=("es", "en"))
    options = parser.parse_args()
    feed = Feed()
    for screen, scene in all_screens().items():
        feed.show(screen, scene)
    app = build_app(feed, ScreenSettings(language=options.lang))
    print(f"http://{options.host}:{options.port}/")
    uvicorn.run(app, host=options.host, port=options.port, log_level="warning", timeout_graceful_shutdown=1)


if __name__ == "__main__":
    main()
