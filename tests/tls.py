"""TLS contexts of servers on loopback whose certificate the service trusts during a test."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def trusted_context(directory: Path, monkeypatch: pytest.MonkeyPatch, *, host: str) -> ssl.SSLContext:
    """Return the context of a server for this host name or IP address. The service trusts its certificate alone."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    today = datetime.fromtimestamp(0, UTC).replace(year=2025)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today)
        .not_valid_after(today + timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([_name_of(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    trusted = directory / "trusted.pem"
    trusted.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    chain = directory / "chain.pem"
    chain.write_bytes(
        trusted.read_bytes()
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    monkeypatch.setattr(requests.adapters, "DEFAULT_CA_BUNDLE_PATH", str(trusted))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    return context


def _name_of(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
