# SPDX-License-Identifier: Apache-2.0

"""A policy service that responds, misbehaves, and records its requests."""

import contextlib
import datetime
import ipaddress
import json
import pathlib
import sys

import fixtures

from tests.harness import process

_SERVER = pathlib.Path(__file__).with_name('policy_server.py')


class PolicyService(fixtures.Fixture):
    """Run the service as a separate process.

    :param name: the name in its certificate, or None without TLS.
    :ivar url: the URL without a path.
    :ivar certificate: the file with its certificate and key.
    """

    def __init__(self, name=None):
        super().__init__()
        self._name = name
        self.certificate = None

    def _setUp(self):
        directory = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self._journal = directory / 'journal'
        words = [sys.executable, _SERVER, self._journal]
        if self._name:
            self.certificate = str(directory / 'certificate.pem')
            write_certificate(self.certificate, self._name)
            words.append(self.certificate)
        serving = process.Process('policy service', words,
                                  directory / 'output').attach(self)
        serving.start()
        scheme = 'https' if self._name else 'http'
        self.url = f'{scheme}://127.0.0.1:{serving.wait_for_port()}'

    @contextlib.contextmanager
    def away(self, which='all'):
        """Close connections without a response.

        :param which: ``all``, or ``nested``: of what is about such stacks;
            ``silent``: all, after nobody waits any more.
        """
        marker = self._journal.with_name(self._journal.name + '.away')
        marker.write_text(which)
        try:
            yield
        finally:
            marker.unlink()

    def requests(self):
        """Return the recorded requests, oldest first."""
        return [line for line in self._lines() if 'body' in line]

    def left(self):
        """Return the paths of the responses whose client has disconnected."""
        return [line['path'] for line in self._lines() if 'gone' in line]

    def _lines(self):
        if not self._journal.exists():
            return []
        return [json.loads(line)
                for line in self._journal.read_text().splitlines()]


def write_certificate(path, address):
    """Write a self-signed certificate and its key."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives import serialization
    from cryptography import x509
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, 'test')])
    now = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day).not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName(
            [x509.IPAddress(ipaddress.ip_address(address))]), False)
        .add_extension(x509.BasicConstraints(True, None), True)
        .sign(key, hashes.SHA256()))
    with open(path, 'wb') as target:
        target.write(key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption()))
        target.write(certificate.public_bytes(serialization.Encoding.PEM))
