# SPDX-License-Identifier: Apache-2.0

"""What Keystone's option ``immutable`` does: facts for our handler."""

from tests.cloud import base


class _Facts:
    """The same for every kind that has the option."""

    kind = None

    def setUp(self):
        super().setUp()
        self.collection = f'/{self.kind}s'
        made = self.call('POST', self.collection, self.fields())
        self.path = f'{self.collection}/{made.json()[self.kind]["id"]}'
        self.addCleanup(self._remove)

    def fields(self):
        return {'name': self.id()[-60:]}

    def call(self, method, path, fields=None, client='ops'):
        body = {} if fields is None else {'json': {self.kind: fields}}
        return self.client(client).call('identity', method, path, **body)

    def change(self, client='ops', **fields):
        """Change it; returns the status of the answer."""
        return self.call('PATCH', self.path, fields, client).status_code

    def mark(self, value, client='ops', **more):
        return self.change(client, options={'immutable': value}, **more)

    def options(self):
        return self.call('GET', self.path).json()[self.kind]['options']

    def _remove(self):
        self.mark(False)
        # A domain has to be disabled before.
        self.change(enabled=False)
        self.call('DELETE', self.path)

    def test_no_change_and_no_delete_not_even_by_an_admin(self):
        self.assertEqual({}, self.options())
        self.assertEqual(200, self.mark(True))
        self.assertEqual({'immutable': True}, self.options())
        self.assertEqual(403, self.change(description='new'))
        self.assertEqual(403, self.call('DELETE', self.path).status_code)

    def test_twice_is_refused(self):
        self.mark(True)
        self.assertEqual(403, self.mark(True))

    def test_what_lifts_it_carries_nothing_else(self):
        self.assertEqual(200, self.mark(True, description='set with it'))
        self.assertEqual(403, self.mark(False, description='new'))
        self.assertEqual(200, self.mark(False))
        self.assertEqual({'immutable': False}, self.options())

    def test_null_lifts_it_and_leaves_no_option(self):
        self.mark(True)
        self.assertEqual(200, self.mark(None))
        self.assertEqual({}, self.options())

    def test_it_takes_an_admin(self):
        self.assertEqual(403, self.mark(True, 'alice'))
        # Who cannot change it cannot see it, either.
        self.assertEqual(403, self.call('GET', self.path,
                                        client='alice').status_code)
        self.mark(True)
        self.assertEqual(403, self.mark(False, 'alice'))

    def test_a_deleted_one_answers_404(self):
        self.change(enabled=False)
        self.call('DELETE', self.path)
        self.assertEqual(404, self.mark(True))
        self.assertEqual(404, self.mark(False))


class RoleTest(_Facts, base.CloudTestCase):
    kind = 'role'


class ProjectTest(_Facts, base.CloudTestCase):
    kind = 'project'


class DomainTest(_Facts, base.CloudTestCase):
    kind = 'domain'
