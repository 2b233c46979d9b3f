# SPDX-License-Identifier: Apache-2.0

"""A Heat whose operator freezes stacks while it runs."""

import datetime
import json

from tests.functional import test_stack_lock


class FreezeTestCase(test_stack_lock.StackLockTestCase):
    """With a file of windows that a test writes anew."""

    is_shared = False
    more = ''

    @classmethod
    def setUpClass(cls):
        cls.file_path = cls.write_for_class('freezes.yaml', 'freezes: []\n')
        cls.settings = (f'[heat_extras]\nfreezes_file = {cls.file_path}\n'
                        f'{cls.more}')
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.addCleanup(self.write_file)

    def write_file(self, *windows):
        """Let these be the windows, from the next operation on."""
        # JSON is YAML.
        with open(self.file_path, 'w') as target:
            json.dump({'freezes': windows}, target)

    def counted(self, name):
        """Return the value of a metric that may not be there yet."""
        done = self.sandbox.run('heat-extras-manage', 'metrics')
        self.assertEqual(0, done.returncode, done.stderr)
        counts = dict(line.rsplit(' ', 1) for line in done.stdout.splitlines()
                      if line[0] != '#')
        return int(counts.get(f'heat_extras_{name}', 0))

    def freeze(self, **fields):
        """Freeze from an hour ago to one ahead, in this project."""
        self.end = moment(hours=1)
        self.write_file({
            'name': 'year-end', 'reason': 'bank holidays',
            'begin': moment(hours=-1), 'end': self.end, **fields})

    def assert_frozen(self, answer, operation=None):
        """A 409 whose body tells of the freeze, in one line."""
        self.assert_status(409, answer)
        error = answer.json()['error']
        self.assertEqual('StackFrozen', error['type'], answer.text)
        self.assertIn(f' is frozen until {self.end} (freeze "year-end": bank '
                      'holidays). ', error['message'])
        self.assertIn(f' is rejected. Try again at {self.end}.',
                      error['message'])
        self.assertIn(f'The operation "{operation}" is rejected. '
                      if operation else '" is rejected. ', error['message'])
        return error['message']


def moment(**ahead):
    """Return a moment in UTC, as a file and answers write it."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(**ahead)).strftime('%Y-%m-%dT%H:%M:%SZ')
