# SPDX-License-Identifier: Apache-2.0

"""The lock handlers of stock types, found by entry points."""

from unittest import mock

import testtools

from heat_extras import errors
from heat_extras import monkey_patch
from heat_extras.stack_lock.resource_locks import handlers
from heat_extras.stack_lock.resource_locks import nova


def entry_point(name, value, plugin):
    fake = mock.Mock(plugin=plugin)
    fake.name = name
    fake.entry_point.value = value
    return fake


class Theirs:
    """A lock handler of an operator, for servers."""

    TARGETS = ('heat.engine.resources.openstack.nova.server:Server',)

    @monkey_patch.add(why='a test')
    def handle_lock(self, level):
        """Lock a server in another way."""


class HandlersTest(testtools.TestCase):
    def records_of(self, *extensions):
        manager = mock.Mock(extensions=extensions)
        with mock.patch.object(handlers.extension, 'ExtensionManager',
                               return_value=manager):
            return handlers.records()

    def test_included_handlers_cover_stock_types(self):
        classes = {record.target.partition(':')[2].partition('.')[0]
                   for record in handlers.records()}
        self.assertEqual({'Server', 'Instance', 'GlanceWebImage',
                          'KeystoneProject', 'KeystoneRole',
                          'KeystoneDomain', 'ManilaShare', 'RemoteStack'},
                         classes)

    def test_handler_with_same_name_replaces_included_handler(self):
        included = entry_point('nova', 'heat_extras.x:Y', nova.ServerLockMixin)
        for order in ((included, entry_point('nova', 'aa.b:C', Theirs)),
                      (entry_point('nova', 'zz.b:C', Theirs), included)):
            record, = self.records_of(*order)
            self.assertIs(Theirs.handle_lock, record.replacement)

    def test_handler_that_cannot_be_loaded_is_reported(self):
        def fail(namespace, on_load_failure_callback):
            on_load_failure_callback(
                None, entry_point('nova', 'x.y:Z', None),
                ImportError('no x'))
        with mock.patch.object(handlers.extension, 'ExtensionManager', fail):
            error = self.assertRaises(errors.ActivationError,
                                      handlers.records)
        self.assertIn('cannot be loaded: ImportError: no x', str(error))
