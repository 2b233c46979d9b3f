# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import testtools

from heat_extras.health import request
from heat_extras.health import sending


class SendTest(testtools.TestCase):
    def send(self, **values):
        self.client = mock.Mock()
        asked = request.parse({'mark_unhealthy': True,
                               'resource_status_reason': 'disk'}, **values)
        return sending.send(self.client, 'context', asked,
                            stack_identity='s', resource_name='r')

    def test_without_force_any_engine_understands_it(self):
        answer = self.send(force=[])
        self.assertIs(self.client.resource_mark_unhealthy.return_value,
                      answer)
        self.client.resource_mark_unhealthy.assert_called_once_with(
            'context', stack_identity='s', resource_name='r',
            mark_unhealthy=True, resource_status_reason='disk')

    def test_force_is_one_word_more(self):
        answer = self.send(force=['true'])
        self.assertIs(self.client.call.return_value, answer)
        name, fields = (self.client.make_msg.call_args.args[0],
                        self.client.make_msg.call_args.kwargs)
        self.assertEqual('resource_mark_unhealthy', name)
        self.assertIs(True, fields['force'])
        self.assertEqual('disk', fields['resource_status_reason'])
