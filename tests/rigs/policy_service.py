# SPDX-License-Identifier: Apache-2.0

"""A service that decides like Open Policy Agent, or does it badly.

As a script it serves until it is ended; :class:`PolicyService` starts it. It
denies templates with an OS::Heat::TestResource, and behaves worse by path:
/hang, /error, /garbage, /empty, /moved, /plain, /flaky, and, a bit at a time
for ever, /drip, /headers, /continue, /letters, /old, /chunks; /flood is as
fast as it can. Each request is a line in its journal, and so is that the
other side has gone while it was answered.
"""

import datetime
from http import server
import ipaddress
import json
import pathlib
import ssl
import subprocess
import sys
import time

import fixtures

# Seconds that an answer goes on; no exchange has as many.
_LONG = 60
FORBIDDEN = 'OS::Heat::TestResource'


class Handler(server.BaseHTTPRequestHandler):

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length'])).decode()
        self._note({'path': self.path, 'body': body, 'headers': {
            key.lower(): value for key, value in self.headers.items()}})
        self.server.count += 1
        name = self.path.strip('/').partition('/')[0]
        getattr(self, f'_{name}', self._decide)(json.loads(body))

    def _note(self, what):
        with open(self.server.journal, 'a') as target:
            target.write(json.dumps(what) + '\n')

    def do_GET(self):
        if self.path == '/drip':
            self._drip(None)
        else:
            self._send({'racks': []})

    def _decide(self, document):
        new = document['input']['new'] or {'template': {}}
        found = [name for name, resource in
                 new['template'].get('resources', {}).items()
                 if resource['type'] == FORBIDDEN]
        self._send({'result': {'allow': not found, 'reason': (
            f'no tests in production: {", ".join(found)}')}})

    def _send(self, answer, status=200, **headers):
        content = answer if isinstance(answer, bytes) else json.dumps(
            answer).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header('Content-Length', str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _hang(self, document):
        time.sleep(30)

    def _error(self, document):
        self._send({'result': True}, 500)

    def _garbage(self, document):
        self._send(b'\x00<html>')

    def _empty(self, document):
        self._send({})

    def _drip(self, document):
        self._trickle(b'HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n',
                      b' ')

    def _old(self, document):
        self._trickle(b'HTTP/1.0 200 OK\r\n\r\n', b' ')

    def _chunks(self, document):
        self._trickle(
            b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
            b'1\r\n \r\n')

    def _headers(self, document):
        self._trickle(b'HTTP/1.1 200 OK\r\n', b'X: y\r\n')

    def _letters(self, document):
        self._trickle(b'HTTP/1.1 200 ', b'O')

    def _continue(self, document):
        self._trickle(b'', b'HTTP/1.1 100 Continue\r\n\r\n')

    def _flood(self, document):
        self._trickle(b'', b'HTTP/1.1 100 Continue\r\n\r\n' * 1000, 0)

    def _trickle(self, begin, part, pause=0.2):
        end = time.monotonic() + _LONG
        try:
            self.wfile.write(begin)
            while time.monotonic() < end:
                self.wfile.write(part)
                time.sleep(pause)
        except OSError:
            self._note({'path': self.path, 'gone': True})

    def _moved(self, document):
        self._send({'result': True}, 307, Location='/plain')

    def _plain(self, document):
        self._send({'allow': True})

    def _flaky(self, document):
        self._send({'result': True}, 200 if self.server.count > 1 else 503)

    def log_message(self, *arguments):
        """Write nothing to the terminal."""


def main(journal, certificate=None):
    serving = server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    serving.journal, serving.count = journal, 0
    serving.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        serving.socket = context.wrap_socket(serving.socket,
                                             server_side=True)
    print(serving.server_address[1], flush=True)
    serving.serve_forever()


class PolicyService(fixtures.Fixture):
    """Run the service as a process of its own.

    :param name: that its certificate is for; None: no TLS.
    :ivar url: without a path.
    :ivar certificate: file with its certificate and key.
    """

    def __init__(self, name=None):
        super().__init__()
        self._name = name
        self.certificate = None

    def _setUp(self):
        directory = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self._journal = directory / 'journal'
        arguments = [sys.executable, __file__, str(self._journal)]
        if self._name:
            self.certificate = str(directory / 'certificate.pem')
            write_certificate(self.certificate, self._name)
            arguments.append(self.certificate)
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        scheme = 'https' if self._name else 'http'
        self.url = f'{scheme}://127.0.0.1:{int(process.stdout.readline())}'

    def requests(self):
        """Return what it was asked so far, oldest first."""
        return [line for line in self._lines() if 'body' in line]

    def left(self):
        """Return the paths of the answers whose reader has gone."""
        return [line['path'] for line in self._lines() if 'gone' in line]

    def _lines(self):
        if not self._journal.exists():
            return []
        return [json.loads(line)
                for line in self._journal.read_text().splitlines()]


def write_certificate(path, address):
    """Write a certificate that signs itself, and its key."""
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


if __name__ == '__main__':
    main(*sys.argv[1:])
