# SPDX-License-Identifier: Apache-2.0

"""The identity of the caller, for each authentication method of Heat."""

import types

import fixtures
from heat.common import context as heat_context
from heat.common import messaging
from heat.common import policy
from oslo_config import cfg
import testtools

from heat_extras.heat_internals import caller
from heat_extras import monkey_patch
from heat_extras.patches import common_messaging

ANN = {'id': 'a1', 'name': 'ann', 'domain': {'id': 'd1', 'name': 'Users'}}


def context(info=None, **fields):
    """Make a context like ContextMiddleware or stored credentials."""
    return types.SimpleNamespace(**{
        'auth_token_info': info, 'username': None, 'password': None,
        'user_id': None, **fields})


def described(user=ANN, **more):
    return {'token': {'user': user, **more}}


class PrintableNameTest(testtools.TestCase):

    def test_name_in_token_overrides_headers(self):
        for claim in ({}, {'username': 'root'},
                      {'username': 'root', 'password': 'secret'},
                      {'username': 'root', 'user_id': 'r1'}):
            self.assertEqual('ann', caller.printable_name(context(described(),
                                                                  **claim)))

    def test_name_is_read_from_every_kind_of_token(self):
        for more in ({'OS-TRUST:trust': {'id': 't1', 'impersonation': True}},
                     {'application_credential': {'id': 'c1'}},
                     {'methods': ['ec2credential']}, {'OS-EC2': {}}):
            self.assertEqual('ann', caller.printable_name(context(
                described(**more), username='root')))

    def test_user_id_is_shown_without_user_name(self):
        self.assertEqual('a1', caller.printable_name(context(
            described({'id': 'a1'}), username='root')))

    def test_control_characters_of_name_are_escaped(self):
        for name, wanted in (
                ('ann\nroot', 'ann\\nroot'), ('\x1b[2Jroot', '\\x1b[2Jroot'),
                ('root\u202e', 'root\\u202e'), ('root\u200b', 'root\\u200b'),
                ('Ann M\xfcller', 'Ann M\xfcller'),
                ('\U0001f512', '\U0001f512')):
            self.assertEqual(wanted, caller.printable_name(context(
                described({'id': 'a1', 'name': name}))))

    def test_name_is_trusted_with_password(self):
        self.assertEqual('ann', caller.printable_name(context(
            username='ann', password='secret', user_id='a1')))

    def test_name_is_not_trusted_with_password_and_token(self):
        # The caller can send any X-Auth-Key.
        for info in ({'token': {'roles': []}}, {'token': {'user': None}},
                     {'access': {'user': ANN}}):
            self.assertEqual('a1', caller.printable_name(context(
                info, username='root', password='any', user_id='a1')))

    def test_unverified_name_is_not_shown(self):
        for info in (None, {}, {'token': None}, {'token': {}},
                     {'token': {'user': None}}, {'access': {'user': ANN}}):
            self.assertEqual('a1', caller.printable_name(context(
                info, username='root', user_id='a1')))
            self.assertIsNone(caller.printable_name(
                context(info, username='root')))


class UserIdTest(testtools.TestCase):

    def test_user_id_in_token_overrides_context(self):
        for caller_context, wanted in (
                (context(described(), user_id='r1'), 'a1'),
                (context(user_id='r1'), 'r1'), (context(), None)):
            self.assertEqual(wanted, caller.user_id(caller_context))


class ReceivedContextTest(testtools.TestCase):
    """The identity that an engine reads from a message of this Heat."""

    def setUp(self):
        super().setUp()
        cfg.CONF([], project='heat', default_config_files=[],
                 default_config_dirs=[])
        self.addCleanup(cfg.CONF.reset)
        self.useFixture(fixtures.MonkeyPatch(
            'heat.common.policy.ENFORCER', None))
        patches = monkey_patch.module_records(common_messaging)
        monkey_patch.apply(patches)
        self.addCleanup(monkey_patch.undo, patches)

    def received(self, headers, info):
        request = types.SimpleNamespace(
            headers=headers, environ={
                **{f'HTTP_{name.upper().replace("-", "_")}': value
                   for name, value in headers.items()},
                'keystone.token_info': info})
        heat_context.ContextMiddleware(None, {}).process_request(request)
        self.asked = request.context
        serializer = messaging.RequestContextSerializer(None)
        return serializer.deserialize_context(
            serializer.serialize_context(request.context))

    def test_engine_receives_name_of_token_for_forged_name(self):
        received = self.received({'X-Auth-User': 'root', 'X-Auth-Key': 'x',
                                  'X-User-Name': 'ann'}, described())
        self.assertEqual('root', self.asked.username)
        self.assertEqual(('ann', 'ann'),
                         (received.username, caller.printable_name(received)))

    def test_engine_receives_correct_name_unchanged(self):
        received = self.received({'X-User-Name': 'ann'}, described())
        self.assertEqual('ann', received.username)

    def test_engine_receives_user_id_for_token_without_user(self):
        for info in {'token': {'roles': []}}, {'access': {'user': ANN}}:
            received = self.received({'X-Auth-User': 'root', 'X-Auth-Key': 'x',
                                      'X-User-Id': 'a1'}, info)
            self.assertEqual(('a1', 'a1'), (received.username,
                                            caller.printable_name(received)))

    def test_context_without_token_is_unchanged(self):
        received = self.received({'X-Auth-User': 'ann', 'X-Auth-Key': 'x',
                                  'X-Is-Admin-Project': 'True'}, None)
        self.assertEqual(('ann', 'x', 'ann', True), (
            received.username, received.password,
            caller.printable_name(received), received.is_admin_project))

    def test_admin_project_is_read_from_token(self):
        headers = {'X-Roles': 'admin', 'X-Project-Id': 'p1'}
        for is_one in True, False:
            received = self.received(
                {**headers, 'X-Is-Admin-Project': str(is_one)},
                described(is_admin_project=is_one))
            self.assertEqual((is_one, is_one), (
                received.is_admin, received.is_admin_project))
            self.assertIs(is_one,
                          policy.get_enforcer().check_is_admin(received))

    def test_admin_project_is_true_if_keystone_has_none(self):
        received = self.received({'X-Roles': 'admin'}, described())
        self.assertTrue(received.is_admin_project)
