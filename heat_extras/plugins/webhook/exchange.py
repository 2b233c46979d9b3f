# SPDX-License-Identifier: Apache-2.0

"""One exchange over HTTP that is over in time, whatever the peer does.

The timeout of a socket is for each wait: a peer that sends a byte, a header
or ``100 Continue`` now and then never exceeds it. So every read looks at the
deadline of the whole, and at the deadline a timer shuts the socket, which
ends whatever waits for it: a handshake, a read or a write, in a native
thread or in one of eventlet's.

Pure: nothing of Heat is imported.
"""

from collections import abc
import contextlib
import functools
from http import client as http_client
import io
import socket
import ssl
import threading
import time
import typing
import urllib.parse


class Deadline:
    """When an exchange has to be over.

    :param seconds: from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return how many seconds are left.

        :raises TimeoutError: when none are.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError('the time for the exchange is over')
        return left


def exchange(method: str, parts: urllib.parse.SplitResult,
             headers: dict[str, str], body: bytes | None, seconds: float,
             tls: ssl.SSLContext | None = None, most: int = 1 << 20
             ) -> tuple[int, bytes]:
    """Send a request and read its answer, within a time.

    Proxies and redirections are not followed.

    :param parts: the URL, split.
    :param body: bytes, or None.
    :param seconds: that all of it may take: look up the name, connect,
        send, and read the answer to its end.
    :param tls: the :class:`ssl.SSLContext` of https, or None.
    :param most: bytes of the answer's body; it is cut one byte later.
    :returns: the status, and the body where that is 200.
    :raises TimeoutError: when the time was over.
    :raises OSError: for a connection that fails.
    :raises HTTPException: for an answer that is not HTTP.
    """
    deadline = Deadline(seconds)
    connection = _Connection(parts, tls, deadline)
    try:
        with _ended(connection, deadline):
            connection.request(method, _target(parts), body, headers)
            with connection.getresponse() as response:
                found = response.status, _content(response, most)
    except (OSError, ValueError, AttributeError, http_client.HTTPException):
        # A socket that was shut fails in many ways (SSLSocket.shutdown takes
        # what does TLS away from who uses it).
        deadline.left()
        raise
    deadline.left()
    return found


def _target(parts: urllib.parse.SplitResult) -> str:
    target = parts.path or '/'
    if parts.query:
        target += f'?{parts.query}'
    # What is encoded already stays as it is.
    return urllib.parse.quote(target, safe="%!$&'()*+,/:;=?@[]~")


def _content(response: http_client.HTTPResponse, most: int) -> bytes:
    if response.status != 200:
        return b''
    content = response.read(most + 1)
    if response.length and len(content) <= most:
        raise http_client.IncompleteRead(content, response.length)
    return content


@contextlib.contextmanager
def _ended(connection: '_Connection', deadline: Deadline
           ) -> abc.Iterator[None]:
    timer = threading.Timer(deadline.left(), connection.shut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        connection.close()


class _Connection(http_client.HTTPConnection):
    """A connection to a service, of which the socket can be shut."""

    def __init__(self, parts: urllib.parse.SplitResult,
                 tls: ssl.SSLContext | None, deadline: Deadline) -> None:
        # Before the port is looked at: it is not repeated in Host.
        self.default_port = 443 if tls else 80
        # Without a port HTTPConnection takes what follows the last colon of
        # an IPv6 address for one.
        port = self.default_port if parts.port is None else parts.port
        self._tls, self._deadline = tls, deadline
        self._peer: socket.socket | None = None
        super().__init__(typing.cast(str, parts.hostname), port)
        self.response_class: typing.Any = functools.partial(
            _Response, deadline)

    def connect(self) -> None:
        """Connect; HTTPConnection calls it before it sends."""
        self.sock = self._reach()
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is not None:
            self.sock = self._peer = self._tls.wrap_socket(
                self.sock, server_hostname=self.host,
                do_handshake_on_connect=False)
            self.sock.settimeout(self._deadline.left())
            self.sock.do_handshake()
        self.sock.settimeout(self._deadline.left())

    def close(self) -> None:
        """Close the socket, also one that was never connected."""
        super().close()
        if self._peer is not None:
            self._peer.close()

    def shut(self) -> None:
        """End whatever waits for the peer."""
        # HTTPConnection forgets a socket that the answer's reader still has.
        if self._peer is not None:
            with contextlib.suppress(OSError):
                self._peer.shutdown(socket.SHUT_RDWR)

    def _reach(self) -> socket.socket:
        found = addresses(self.host, self.port, self._deadline)
        for number, (family, kind, protocol, _name, address) in enumerate(
                found, 1):
            self._peer = socket.socket(family, kind, protocol)
            # One that is dead leaves time for the others.
            self._peer.settimeout(
                self._deadline.left() / (len(found) - number + 1))
            try:
                self._peer.connect(address)
                return self._peer
            except OSError:
                self._peer.close()
                if number == len(found):
                    raise
        raise OSError('the name has no address')


class _Response(http_client.HTTPResponse):
    """An answer that is read until the deadline only."""

    def __init__(self, deadline: Deadline, sock: socket.socket,
                 *args: typing.Any, **kwargs: typing.Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Timely(self.fp, sock, deadline))


class _Timely(io.RawIOBase):
    """Reads what comes, and looks at the clock each time."""

    def __init__(self, source: typing.Any, sock: socket.socket,
                 deadline: Deadline) -> None:
        super().__init__()
        self._source, self._socket = source, sock
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, target: typing.Any) -> int:
        # On eventlet others get their turn: a peer that is as fast as its
        # reader leaves them none.
        time.sleep(0)
        self._socket.settimeout(self._deadline.left())
        return self._source.readinto1(target)

    def close(self) -> None:
        self._source.close()
        super().close()


def addresses(host: str, port: int, deadline: Deadline) -> list[tuple]:
    """Look up a name, no longer than there is time.

    A lookup cannot be ended: nobody listens to one that is late, and its
    thread ends when the resolver gives up.

    :returns: what :func:`socket.getaddrinfo` does.
    """
    found: list[tuple] = []
    failures: list[Exception] = []

    def ask() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port,
                                            type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            failures.append(error)

    thread = threading.Thread(target=ask, daemon=True, name='lookup')
    thread.start()
    thread.join(deadline.left())
    deadline.left()
    if failures:
        raise OSError('the name was not found') from failures[0]
    return found
