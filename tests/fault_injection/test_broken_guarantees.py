# SPDX-License-Identifier: Apache-2.0

"""The checks of the fault injection detect broken guarantees."""

import itertools

import fixtures
from testtools import content

from tests.fault_injection import lock_cycle
from tests.fault_injection import lock_expiry_cycle
from tests.fault_injection import lock_pass_cycle
from tests.fault_injection import protection_cycle
from tests.fault_injection import test_faults
from tests.fault_injection import user
from tests.harness import environment
from tests.harness import waiting

# Seconds of one run, and until the test fails.
_SECONDS = 30
_MOST_SECONDS = 300
# The engines have no further attempt after this time.
_END_SECONDS = 40
_OVER_SECONDS = 60
_ASKED_SECONDS = 4
_seeds = itertools.count(test_faults.SEED, 100)


class BrokenGuaranteeTest(test_faults.SlowFaultInjection):
    """``slow/broken.py`` breaks guarantees by their names."""

    kind = test_faults.FaultInjectionTest.kind
    end_seconds = _END_SECONDS

    @classmethod
    def setUpClass(cls):
        place = cls.use_in_class(fixtures.TempDir()).join('broken')
        cls.broken = place
        cls.use_in_class(environment.Environment(HEAT_EXTRAS_BROKEN=place))
        super().setUpClass()

    def setUp(self):
        super().setUp()
        # Wait until the guarantee that the previous test broke is in effect.
        self._break('')
        waiting.until('the end of each operation', self.database.untold,
                      lambda rows: not rows, _OVER_SECONDS)
        self.plugins.forget()
        self.addCleanup(self._break, '')

    def _break(self, name):
        with open(self.broken, 'w') as target:
            target.write(name)

    def assert_seen(self, name, act, find, part):
        """Let users run one cycle until the broken guarantee is detected.

        :param find: returns sentences, one of which must contain *part*.
        """
        self.useFixture(fixtures.MockPatchObject(
            user.User, 'ACTS', (act,) * 3))
        self._break(name)

        def look():
            self.burn(_SECONDS, next(_seeds), is_whole=False)
            return [text for text in find() if part in text]
        violations = waiting.last(look, bool, _MOST_SECONDS)
        self.addDetail('found', content.text_content('\n'.join(violations)))
        self.assertNotEqual([], violations, 'the checks see no defect')

    def test_reused_lock_pass_is_detected(self):
        self.assert_seen(
            'a pass is used again', lock_pass_cycle.run_cycle, self.lost,
            'the update of a pass that was used was answered 202')

    def test_lock_pass_for_any_user_is_detected(self):
        self.useFixture(fixtures.MockPatchObject(
            lock_pass_cycle, 'OTHERS', ('update',)))
        self.assert_seen('a pass is for anybody', lock_pass_cycle.run_cycle,
                         self.lost, 'update of another user was answered 202')

    def test_lock_pass_open_after_update_is_detected(self):
        self.assert_seen('a pass stays open', lock_pass_cycle.run_cycle,
                         self.inspect, 'an update through that is over')

    def test_early_expiration_is_detected(self):
        self.assert_seen('an end comes early', lock_expiry_cycle.run_cycle,
                         self.lost, 'became None by')

    def test_missing_expiration_is_detected(self):
        self.assert_seen('an end is forgotten', lock_expiry_cycle.run_cycle,
                         self.inspect, 'the end of its lock has come')

    def test_ignored_extension_is_detected(self):
        self.assert_seen('an extension is forgotten',
                         lock_expiry_cycle.run_cycle, self.lost,
                         'became None by')

    def test_unlock_without_nested_stacks_is_detected(self):
        self.assert_seen('an unlock forgets the rest', lock_cycle.run_cycle,
                         self.lost, 'was unlocked, and of the lock')

    def test_unlock_without_effect_is_detected(self):
        self.assert_seen('an unlock is forgotten', lock_cycle.run_cycle,
                         self.lost, 'was unlocked, and of the lock')

    def test_event_of_rejected_update_is_detected(self):
        self.assert_seen('a refusal leaves an event', lock_cycle.run_cycle,
                         self.lost, 'has an event UPDATE_IN_PROGRESS')

    def test_deletion_that_checks_protection_once_is_detected(self):
        self.useFixture(fixtures.MockPatchObject(protection_cycle, 'RACED', 1))
        self.assert_seen('a deletion asks once', protection_cycle.run_cycle,
                         self.lost,
                         'a deletion beside protect was answered 204')

    def test_missing_delete_protection_is_detected(self):
        self.assert_seen('a protection is not there',
                         protection_cycle.run_cycle, self.lost,
                         'delete was answered 204')

    def test_operations_without_recovery_are_detected(self):
        # Engines must be killed during pre calls. Later, Heat has an operation
        # in progress.
        self.faults = {'engine killed'}
        slow = self.plugins.order('slow', 'test_a', 'LOCK', _ASKED_SECONDS)
        self.addCleanup(slow.unlink)
        self.assert_seen('nobody takes over', lock_expiry_cycle.run_cycle,
                         self.untold, 'nobody tells of')

    def test_missing_pre_calls_of_plugins_are_detected(self):
        self.assert_seen('nobody is asked', lock_cycle.run_cycle, self.untold,
                         'and plugins were asked of')

    def test_repeated_pre_calls_of_plugins_are_detected(self):
        self.assert_seen('all are asked twice', lock_cycle.run_cycle,
                         self.untold, 'were asked so often')

    def test_missing_post_calls_of_plugins_are_detected(self):
        self.assert_seen('nobody is told', lock_expiry_cycle.run_cycle,
                         self.untold, 'were asked, and never told')

    def test_repeated_post_calls_of_plugins_are_detected(self):
        self.assert_seen('all are told twice', lock_expiry_cycle.run_cycle,
                         self.untold, 'were told so often')
