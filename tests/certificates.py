"""A certificate authority for one test: server and client certificates for the loopback, made in memory's time."""

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_VALID = datetime.timedelta(days=1)


class Authority:
    """Writes ca.crt into a directory and signs NAME.crt and NAME.key beside it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _common_name("Carrusel test authority")
        builder = _builder(self._name, self._name, self._key.public_key())
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        certificate = builder.sign(self._key, hashes.SHA256())
        (directory / "ca.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def issue(self, name: str, *, common_name: str | None = None) -> tuple[Path, Path]:
        """Certificate and key files NAME.crt and NAME.key; the certificate is good for localhost and 127.0.0.1."""
        key = ec.generate_private_key(ec.SECP256R1())
        addresses = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = _builder(_common_name(common_name or name), self._name, key.public_key())
        builder = builder.add_extension(x509.SubjectAlternativeName(addresses), critical=False)
        certificate = builder.sign(self._key, hashes.SHA256())
        certificate_file, key_file = self.directory / f"{name}.crt", self.directory / f"{name}.key"
        certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        key_file.touch(mode=0o640)
        key_file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return certificate_file, key_file


def _common_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + _VALID)
    )
