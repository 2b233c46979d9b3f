# SPDX-License-Identifier: Apache-2.0

"""The plan of what runs stays, whatever else of its stack is given up."""


from tests.functional import lifecycle
from tests.functional import test_plugin_placement as placement
from tests.rigs import waiting

ONE = placement.template(a=placement.member('one', 'same_rack'))
TWO = placement.template(
    a=placement.member('one', 'same_rack'),
    b=placement.member('two', 'same_rack',
                       action_wait_secs={'create': 15}))


class OvertakenTest(lifecycle.TestCase):
    is_shared = False

    @classmethod
    def setUpClass(cls):
        cls.settings = placement.settings(cls)
        super().setUpClass()

    def rows(self):
        return {name: bool(operation) for name, _rack, operation
                in placement.rows(self.sandbox)}

    def calls_of(self, name, call, plugin='test_b'):
        return [entry for entry in self.plugins.journal(name)
                if (entry['call'], entry['action'], entry['plugin'])
                == (call, 'UPDATE', plugin)]

    def test_an_update_that_takes_over_while_plugins_are_asked(self):
        path = self.client.create_stack('over', ONE)
        order = self.order('slow', 'test_b', 'UPDATE', '6')
        self.client.put(path, {'template': ONE})
        waiting.until('test_b is asked',
                      lambda: self.calls_of('over', 'pre'))
        order.write_text('0')
        self.client.put(path, {'template': TWO})
        waiting.until('the first one is given up',
                      lambda: self.calls_of('over', 'post'))
        self.assertEqual('UPDATE_IN_PROGRESS',
                         self.client.show_stack(path)['stack_status'])
        self.wait(path, 'UPDATE_COMPLETE')
        waiting.until('the second one is told',
                      lambda: self.calls_of('over', 'post')[1:])
        waiting.until('the plan to be final', self.rows,
                      lambda rows: not any(rows.values()))
        self.assertEqual({'a': False, 'b': False}, self.rows())
