"""The embedded MQTT broker of the demo: loopback only, nothing kept; never a site's broker."""

import asyncio
import logging

LOUD = ("amqtt", "transitions")


async def run_broker(host: str, port: int, ready: asyncio.Event) -> None:
    """Serve until cancelled. Needs the extra `demo`; the carousel never trusts a broker with anything (docs)."""
    from amqtt.broker import Broker
    from amqtt.contexts import BrokerConfig, ListenerConfig

    for name in LOUD:
        logging.getLogger(name).setLevel(logging.ERROR)
    broker = Broker(
        BrokerConfig(
            listeners={"default": ListenerConfig(bind=f"{host}:{port}")},
            plugins={"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
        )
    )
    await broker.start()
    ready.set()
    try:
        await asyncio.Event().wait()
    finally:
        await broker.shutdown()
