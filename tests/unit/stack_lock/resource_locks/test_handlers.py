# SPDX-License-Identifier: Apache-2.0

"""The lock handlers of stock types, found by entry points."""

from unittest import mock

from heat.engine.resources.openstack.nova import server
import testtools

from heat_extras import operator_errors
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

    def handle_lock(self, level):
        """Lock a server in another way."""
        return self, level


class HandlersTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        handlers.load.cache_clear()
        self.addCleanup(handlers.load.cache_clear)

    def with_extensions(self, *extensions):
        handlers.load.cache_clear()
        return mock.patch.object(
            handlers.extension, 'ExtensionManager',
            return_value=mock.Mock(extensions=extensions))

    def test_included_handlers_cover_stock_types(self):
        self.assertEqual(
            {'Server', 'Instance', 'GlanceWebImage', 'KeystoneProject',
             'KeystoneRole', 'KeystoneDomain', 'ManilaShare', 'RemoteStack'},
            {each.__name__ for each in handlers.load()})

    def test_handler_with_same_name_replaces_included_handler(self):
        included = entry_point('nova', 'heat_extras.x:Y', nova.ServerLockMixin)
        for order in ((included, entry_point('nova', 'aa.b:C', Theirs)),
                      (entry_point('nova', 'zz.b:C', Theirs), included)):
            with self.with_extensions(*order):
                self.assertEqual([Theirs], list(handlers.load().values()))

    def test_method_of_class_precedes_handler_also_of_base_class(self):
        class Inherits(server.Server):
            """A server of another project."""

        class Own(Inherits):
            handle_lock = Theirs.handle_lock

        with self.with_extensions(entry_point('nova', 'aa.b:C', Theirs)):
            resource = object.__new__(Inherits)
            self.assertEqual((resource, 'all'), handlers.find_method(
                resource, 'handle_lock')('all'))
            self.assertIsNone(handlers.find_method(resource, 'find_lock'))
            self.assertIsNone(handlers.find_method(self, 'handle_lock'))
            own = object.__new__(Own)
            self.assertEqual(own.handle_lock, handlers.find_method(
                own, 'handle_lock'))

    def test_handler_that_cannot_be_loaded_is_reported(self):
        def fail(namespace, on_load_failure_callback):
            on_load_failure_callback(
                None, entry_point('nova', 'x.y:Z', None),
                ImportError('no x'))
        with mock.patch.object(handlers.extension, 'ExtensionManager', fail):
            error = self.assertRaises(operator_errors.ActivationError,
                                      handlers.load)
        self.assertIn('cannot be loaded: ImportError: no x', str(error))

    def test_missing_class_is_reported(self):
        class Lost(Theirs):
            TARGETS = ('heat.engine.resources:NoClass',)

        with self.with_extensions(entry_point('lost', 'aa.b:C', Lost)):
            error = self.assertRaises(operator_errors.ActivationError,
                                      handlers.load)
        self.assertIn('heat.engine.resources:NoClass: the class with a lock '
                      'handler is missing', str(error))
