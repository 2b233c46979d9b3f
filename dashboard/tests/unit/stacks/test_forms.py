# SPDX-License-Identifier: Apache-2.0

"""An update that is refused."""

import json

from django import urls

from tests.unit import base

TEMPLATE = {'heat_template_version': '2018-08-31'}


class UpdateTest(base.HeatTestCase):
    def update(self, **more):
        self.answer('GET', '/stacks/5c0e41d0', {'stack': base.locked()})
        self.answer('GET', '/stacks/5c0e41d0/template', TEMPLATE)
        self.answer('PUT', '/stacks/5c0e41d0',
                    **base.fault(409, base.REFUSED))
        return self.client.post(
            urls.reverse('horizon:project:stacks:edit_stack',
                         args=('5c0e41d0',)),
            {'stack_id': '5c0e41d0', 'stack_name': 'web',
             'timeout_mins': '60', 'password': 'secret',
             'parameters': json.dumps({
                 'Description': '', 'Parameters': {},
                 'template': TEMPLATE, 'files': {}})},
            **more)

    def test_the_page_says_why(self):
        told = [str(each) for each in self.update().context['messages']]
        self.assertEqual([base.REFUSED], told)

    def test_the_window_says_why(self):
        answer = self.update(HTTP_X_REQUESTED_WITH='XMLHttpRequest')
        (tag, told, _extra), = json.loads(answer['X-Horizon-Messages'])
        self.assertEqual(('error', base.REFUSED), (tag, told))
