# SPDX-License-Identifier: Apache-2.0

"""A service that decides like Open Policy Agent, or misbehaves.

This script serves until it is stopped, and imports only the standard library.
:class:`tests.harness.policy_service.PolicyService` starts it. It denies
templates with an OS::Heat::TestResource, and nested stacks whose resource has
a name like ``forbidden``. Other paths make it misbehave: /hang,
/error, /garbage, /empty, /endless, /deep, /moved, /plain, /flaky. Each request
is a line in its journal.

While a file with the suffix .away exists beside the journal, the service
closes connections without a response. Depending on the content of the file,
these are all connections, only those about nested stacks, or all after a long
time.
"""

from http import server
import json
import ssl
import sys
import time

FORBIDDEN = 'OS::Heat::TestResource'


class Handler(server.BaseHTTPRequestHandler):

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length'])).decode()
        if self._is_away(body):
            self.close_connection = True
            return
        self._note({'path': self.path, 'body': body, 'headers': {
            key.lower(): value for key, value in self.headers.items()}})
        self.server.count += 1
        name = self.path.strip('/').partition('/')[0]
        getattr(self, f'_{name}', self._decide)(json.loads(body))

    def _is_away(self, body):
        try:
            with open(self.server.journal + '.away') as source:
                which = source.read()
        except OSError:
            return False
        if which == 'silent':
            self._hang(None)
        return which != 'nested' or bool(
            json.loads(body)['input']['stack']['owner'])

    def _note(self, entry):
        with open(self.server.journal, 'a') as target:
            target.write(json.dumps(entry) + '\n')

    def _decide(self, document):
        new = document['input']['new'] or {'template': {}}
        names = [name for name, resource in
                 (new['template'] or {}).get('resources', {}).items()
                 if resource['type'] == FORBIDDEN]
        reason = f'no tests in production: {", ".join(names)}'
        name = document['input'].get('stack', {}).get('name', '')
        is_denied = '-forbidden' in name
        if is_denied:
            reason = f'stack {name}'
        self._send({'result': {'allow': not (names or is_denied),
                               'reason': reason}})

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

    def _endless(self, document):
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b' ' * (1 << 16))
        except OSError:
            self.close_connection = True
            self._note({'path': self.path, 'gone': True})

    def _deep(self, document):
        self._send(b'[' * 100000)

    def _moved(self, document):
        self._send({'result': True}, 307, Location='/plain')

    def _plain(self, document):
        self._send({'allow': True})

    def _flaky(self, document):
        self._send({'result': True}, 200 if self.server.count > 1 else 503)

    def log_message(self, *arguments):
        """Do not write to the terminal."""


def main(journal, certificate=None):
    serving = server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    serving.journal, serving.count = journal, 0
    serving.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        serving.socket = context.wrap_socket(serving.socket,
                                             server_side=True)
    print('port', serving.server_address[1], flush=True)
    serving.serve_forever()


if __name__ == '__main__':
    main(*sys.argv[1:])
