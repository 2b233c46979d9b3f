# SPDX-License-Identifier: Apache-2.0

"""Released Zaqar: queues, and subscriptions to them."""

import functools
import os
import uuid

from tests.harness.cloud import service
from tests.harness.cloud import small_cloud
from tests.harness.services import redis
from tests.harness import software

_HERE = os.path.dirname(__file__)
_SQL = 'drivers:management_store:sqlalchemy'
_REDIS = 'drivers:message_store:redis'


@functools.cache
def place():
    """Return the directory of Zaqar; install it if needed."""
    return software.Software(
        'zaqar-venv', 'HEAT_EXTRAS_ZAQAR_VENV',
        os.path.join(_HERE, 'zaqar.txt')).environment()


class Zaqar(service.Service):
    """The messaging service; messages are in Redis."""

    name = 'zaqar'
    databases = ('zaqar',)
    catalog = (('messaging', ''),)

    def configure(self):
        self.redis = self.host.useFixture(redis.Redis())
        self._file = self.host.write_ini(self.path('zaqar.conf'), {
            'DEFAULT': {'auth_strategy': 'keystone',
                        'state_path': self.path('state', '')},
            'drivers': {'transport': 'wsgi', 'message_store': 'redis',
                        'management_store': 'sqlalchemy'},
            'drivers:transport:wsgi': {
                'bind': service.HOST, 'port': self.port},
            _SQL: {'uri': self.database_section()['connection']},
            _REDIS: {'uri': self.redis.url},
            'storage': {'message_pipeline': 'zaqar.notification.notifier'},
            'signed_url': {'secret_key': 'zaqar-secret'},
            'profiler': {'enabled': 'false'},
            'keystone_authtoken': self.identity.token_section(self.name),
            'trustee': self.identity.unscoped_auth(self.name)})

    def synchronize(self):
        self.host.run(self._installed('zaqar-sql-db-manage'),
                      '--config-file', self._file, 'upgrade', 'head')

    def make_processes(self):
        self.api = self.host.process(
            'zaqar-server', [self._installed('zaqar-server'),
                             '--config-file', self._file],
            is_ready=self.answers)

    def _installed(self, name):
        return os.path.join(place(), 'bin', name)


class Cloud(small_cloud.SmallCloud):
    """Keystone, Heat and Zaqar."""

    def _make_services(self):
        super()._make_services()
        self.zaqar = Zaqar(self.host, self.keystone)
        self._others.append(self.zaqar)
        self._all.append(self.zaqar)


class Queues:
    """The queues of a user.

    :param client: a :class:`tests.harness.cloud.client.Client`
    """

    def __init__(self, client):
        self._client = client
        self._id = str(uuid.uuid4())

    def messages(self, queue):
        """Return the bodies of the messages of a queue, oldest first."""
        bodies, more = [], '/messages?echo=true&limit=20'
        while True:
            page = self._send('GET', f'/v2/queues/{queue}{more}').json()
            if not page['messages']:
                return bodies
            bodies += [each['body'] for each in page['messages']]
            more = '/messages?' + page['links'][0]['href'].partition('?')[2]

    def post(self, queue, body):
        """Send a message."""
        self._send('POST', f'/v2/queues/{queue}/messages',
                   messages=[{'ttl': 300, 'body': body}])

    def subscribe(self, queue, subscriber, **options):
        """Subscribe a URL to the messages of a queue."""
        self._send('POST', f'/v2/queues/{queue}/subscriptions',
                   subscriber=subscriber, ttl=300, options=options)

    def delete(self, queue):
        """Delete a queue and its subscriptions."""
        self._send('DELETE', f'/v2/queues/{queue}')

    def _send(self, method, path, **body):
        answer = self._client.call(
            'messaging', method, path, headers={'Client-ID': self._id},
            **({'json': body} if body else {}))
        if answer.status_code >= 400:
            raise AssertionError(
                f'{method} {path}: {answer.status_code} {answer.text}')
        return answer
