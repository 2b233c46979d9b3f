# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.stack_lock import api

_PASS = {'user': {'id': 'x'}, 'expires_at': 'x'}


class RpcArgumentsTest(testtools.TestCase):

    def test_valid_bodies_are_converted_to_rpc_arguments(self):
        for action, body, arguments in (
                ('lock', None, {'named': {}}), ('lock', {}, {'named': {}}),
                ('lock', {'level': 'all', 'reason': 'x', 'dry_run': True,
                          'replace': True},
                 {'named': {'level': 'all', 'reason': 'x'}, 'dry_run': True,
                  'replace': True}),
                ('lock', {'level': 'all', 'id': 'x'},
                 {'named': {'level': 'all'}, 'expected': {'id': 'x'}}),
                ('lock', {'reason': None, 'expires_at': None},
                 {'named': {'reason': None, 'expires_at': None}}),
                ('lock', {'id': None},
                 {'named': {}, 'expected': {'id': None}}),
                ('unlock', None, {}),
                ('unlock', {'id': 5}, {'expected': {'id': 5}}),
                ('unlock', {'id': None}, {'expected': {'id': None}}),
                ('extend_lock', {'expires_at': None}, {'expires_at': None}),
                ('lock_pass', None, {}), ('lock_pass', _PASS, _PASS),
                ('lock_pass', {'user': 'x', 'expires_at': 5, 'reason': 'x'},
                 {'user': 'x', 'expires_at': 5, 'reason': 'x'}),
                ('protect', None, {'named': {}}),
                ('protect', {'reason': None}, {'named': {'reason': None}}),
                ('protect', {'reason': 'x', 'replace': True},
                 {'named': {'reason': 'x'}, 'replace': True}),
                ('unprotect', None, {})):
            self.assertEqual(arguments, api.rpc_arguments(action, body))

    def test_invalid_bodies_are_rejected(self):
        for action, body, message in (
                ('lock', 'all', "'all' must be null or an object with any of "
                                'the keys level, reason, expires_at'),
                ('lock', [], '[] must be null'), ('lock', False, 'False must'),
                ('lock', {'level': 'all', 'until': 1, 'expected': {}},
                 "unknown key 'expected', 'until'. The body must be null or "
                 'an object'),
                ('unlock', {}, '{} must be null'),
                ('unlock', False, 'False must be null'),
                ('unlock', {'id': 'x', 'level': 'all'}, "unknown key 'level'. "
                 'The body must be null, {"id": "ID of the lock"}'),
                ('extend_lock', None, 'None must be {"expires_at": '),
                ('extend_lock', {'id': 'x'}, "{'id': 'x'} must be "),
                ('lock_pass', {}, '{} must be null, or {"user"'),
                ('lock_pass', {'user': {'id': 'x'}}, '{'),
                ('lock_pass', {**_PASS, 'user': None}, '{'),
                ('lock_pass', {'id': 'x'}, "unknown key 'id'. The body must "
                                           'be null, or {"user"'),
                ('protect', True, 'True must be null or an object with any of '
                 'the keys reason'),
                ('protect', {'level': 'all'}, "unknown key 'level'"),
                ('unprotect', {}, '{} must be null.'),
                ('unprotect', {'reason': 'x'}, "unknown key 'reason'. The "
                                               'body must be null.')):
            error = self.assertRaises(ValueError, api.rpc_arguments,
                                      action, body)
            self.assertIn(f'Invalid body of {action}: {message}', str(error))
