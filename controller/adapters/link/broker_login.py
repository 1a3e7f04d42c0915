"""Who a node is to its broker: name and password, or a certificate; the broker's own certificate is always checked."""

import ssl

from controller.adapters.link.mqtt import Broker
from controller.config.credentials import read_file, unusable
from controller.config.site import Mqtt, Tls


def broker_of(mqtt: Mqtt, client_id: str) -> Broker:
    """How a client of that id connects; ConfigError names the file that does not serve."""
    password = None
    if mqtt.password_file is not None:
        try:
            password = read_file(mqtt.password_file, "mqtt.password_file").decode().strip()
        except UnicodeDecodeError as error:
            raise unusable(mqtt.password_file, "mqtt.password_file", error.reason) from error
    tls = None if mqtt.tls is None else tls_context(mqtt.tls)
    return Broker(mqtt.host, mqtt.port, client_id, mqtt.username, password, tls, mqtt.keepalive_s)


def tls_context(tls: Tls) -> ssl.SSLContext:
    """Checks the broker's name and chain (against the system's authorities without `ca`), shows our certificate."""
    named = {"ca": tls.ca, "certificate": tls.certificate, "key": tls.key}
    for name, path in named.items():
        if path is not None:
            read_file(path, f"mqtt.tls.{name}")
    try:
        context = ssl.create_default_context(cafile=tls.ca)
    except ssl.SSLError as error:
        assert tls.ca is not None, "only a file of ours can be malformed"
        raise unusable(tls.ca, "mqtt.tls.ca", _why(error)) from error
    if tls.certificate is not None:
        try:
            context.load_cert_chain(tls.certificate, tls.key, password=_no_passphrase)
        except ssl.SSLError as error:
            raise unusable(tls.certificate, "mqtt.tls.certificate", _why(error)) from error
    return context


def _no_passphrase() -> str:
    """A daemon has nobody to ask: a locked key is a fault, not a question on the terminal."""
    return ""


def _why(error: ssl.SSLError) -> str:
    """OpenSSL's reason in words."""
    return (error.reason or str(error)).lower().replace("_", " ")
