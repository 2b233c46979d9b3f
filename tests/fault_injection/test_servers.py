# SPDX-License-Identifier: Apache-2.0

"""Level ``all`` while Nova, engines, broker and database fail."""

import collections
import os

from testtools import content

from tests.cloud import base
from tests.cloud import templates
from tests.fault_injection import faults
from tests.fault_injection import hold_period
from tests.fault_injection import servers
from tests.fault_injection import test_faults
from tests.harness.cloud import cloud
from tests.harness.services import small_disk
from tests.harness import unreliable_service
from tests.harness import waiting

SECONDS = test_faults.SECONDS // 2
_COUNT = 3
_USERS = 2
_BAD_SECONDS = (1, 14)
# A request that hangs times out after twice this time.
_TIMEOUT = 4
_AGREED_SECONDS = 90
_BACK_SECONDS = 60


class Database(small_disk.SmallDiskMariaDB):
    # For a dozen services with about a thousand files each.
    megabytes = 1024


class Cloud(cloud.Cloud):
    """A cloud with an unreliable proxy in front of Nova.

    :ivar nova_front: a :class:`unreliable_service.UnreliableService`.
    """

    def __init__(self):
        super().__init__({'heat_extras': {'lock_resource_timeout': _TIMEOUT}},
                         Database)

    def _make_services(self):
        super()._make_services()
        self.nova_front = self.useFixture(
            unreliable_service.UnreliableService(self.nova.url))
        self.nova.url = self.nova_front.url

    @property
    def engines(self):
        return self.heat.engines

    @property
    def broker(self):
        return self.host.broker

    def restart_engine(self, name):
        """Start an engine that has ended."""
        self.heat.engines[name].start()

    def locked_servers(self, ids):
        """Return the locked servers among some IDs, from Nova's database.

        The API of Nova may hang.
        """
        names = ', '.join(f"'{id_}'" for id_ in ids)
        return {row[0] for row in self.read(
            'SELECT uuid FROM nova.instances '
            f'WHERE locked = 1 AND uuid IN ({names})')}

    def read(self, statement):
        """Return rows as soon as the database is available."""
        return waiting.until(
            'the database', lambda: hold_period.unless_away(
                lambda: self.host.database.execute(statement)),
            lambda value: value is not None, _BACK_SECONDS)


class Faults(faults.Faults):
    """Faults of Nova, and of the servers that all services share."""

    def _be(self, mode):
        self._cloud.nova_front.be(mode)
        yield self._random.uniform(*_BAD_SECONDS)
        self._cloud.nova_front.be('')

    KINDS = {
        **faults.Faults.KINDS,
        **{f'Nova: {mode}': lambda self, mode=mode: self._be(mode)
           for mode in ('slow', 'hang', 'error', 'late', 'away')}}


class ServersTest(base.CloudTestCase):

    @classmethod
    def setUpClass(cls):
        super(base.CloudTestCase, cls).setUpClass()
        cls.cloud = cls.use_in_class(Cloud())

    def setUp(self):
        super().setUp()
        self.users = []
        for number in range(_USERS):
            path = self.alice.create_stack(f'faulty-{number}',
                                           templates.servers(_COUNT))
            self.users.append(servers.User(
                self.cloud.client('alice'), path, self.cloud.locked_servers))

    def test_lock_protection_and_nova_agree_after_faults(self):
        injector = Faults(
            self.cloud, self.cloud.host.database, test_faults.SEED)
        faults.inject(injector, SECONDS, self.users)
        faults.mended(self.alice)
        self.tell(injector)
        for each in self.users:
            self.assertEqual([], each.violations)
            self.inspect(each)

    def tell(self, injector):
        figures = sum((each.figures for each in self.users),
                      collections.Counter())
        text = (f'faults: {collections.Counter(injector.done)}, most at a '
                f'time: {injector.most}\nfigures: {figures}\n')
        self.addDetail('figures', content.text_content(text))
        if os.environ.get('HEAT_EXTRAS_TEST_TABLES'):
            print('\n' + text)

    def inspect(self, user):
        """Check the remaining stack with ordinary requests."""
        self.alice.wait_for_end(user.path)
        waiting.until('ledger and Nova to agree',
                      user.differing, lambda value: not value,
                      _AGREED_SECONDS)
        # Wait some time, because requests that hung may be executed late.
        self.assertTrue(user.unlock())
        self.assertEqual('LOCK_COMPLETE', user.lock())
        self.assertTrue(user.unlock())
        self.assertEqual([], user.violations)
        for server_id in sorted(user.ids):
            for name in 'lock', 'unlock':
                self.assertEqual(202, self.alice.call(
                    'compute', 'POST', f'/servers/{server_id}/action',
                    json={name: None}).status_code)
        self.assert_status(204, self.alice.delete(user.path))
        self.alice.wait_for_stack(user.path, base.DELETED)
        self.assertEqual([], [row for row in self.cloud.read(
            'SELECT uuid FROM nova.instances WHERE deleted = 0')
            if row[0] in user.ids])
