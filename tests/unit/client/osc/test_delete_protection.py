# SPDX-License-Identifier: Apache-2.0

import json

from heat_extras.client.osc import delete_protection
from tests.unit.client import base as client_base
from tests.unit.client.osc import base


class ProtectStackTest(base.CommandTestCase):

    def test_protect_by_tag_reports_each_stack(self):
        self.heat.add('web', 'env=prod')
        self.heat.add('db', 'env=prod').refusal = client_base.fault(
            409, 'StackProtectConflict', 'It goes.')
        code, out, err = self.call(
            delete_protection.ProtectStack, '--tag', 'env=prod', '--reason',
            'ours', '-f', 'json')
        self.assertEqual((1, 'stack db: It goes.\n'), (code, err))
        self.assertEqual(
            [('web', True, 'ours', 'protected'), ('db', None, None, 'failed')],
            [(row['Stack Name'], row['Delete Protected'], row['Reason'],
              row['Result']) for row in json.loads(out)])

    def test_unprotect_by_tag(self):
        web = self.heat.add('web', 'env=prod', delete_protected=True)
        code, out, err = self.call(
            delete_protection.UnprotectStack, '--tag', 'env=prod', '-f',
            'value', '-c', 'Result')
        self.assertEqual((0, 'unprotected\n', ''), (code, out, err))
        self.assertFalse(web.body['delete_protected'])
