# SPDX-License-Identifier: Apache-2.0

"""Base of the tests with freezes."""

import datetime
import json

from tests.functional import test_stack_lock


class FreezeTestCase(test_stack_lock.StackLockTestCase):
    """Test case with a freezes file that tests can replace."""

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
        """Replace the windows, starting with the next operation."""
        # JSON is YAML.
        with open(self.file_path, 'w') as target:
            json.dump({'freezes': windows}, target)

    def counted(self, name):
        """Return the value of a metric, or 0 if it does not exist."""
        done = self.sandbox.run('heat-extras-manage', 'metrics')
        self.assertEqual(0, done.returncode, done.stderr)
        counts = dict(line.rsplit(' ', 1) for line in done.stdout.splitlines()
                      if line[0] != '#')
        return int(counts.get(f'heat_extras_{name}', 0))

    def freeze(self, **fields):
        """Freeze this project from one hour ago to one hour from now."""
        self.end = moment(hours=1)
        self.write_file({
            'name': 'year-end', 'reason': 'bank holidays',
            'begin': moment(hours=-1), 'end': self.end, **fields})

    def assert_frozen(self, answer, operation=None):
        """Assert a 409 that describes the freeze, and return its message."""
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
    """Return a time in UTC, in the format of the file and the API."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(**ahead)).strftime('%Y-%m-%dT%H:%M:%SZ')
