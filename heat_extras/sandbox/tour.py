# SPDX-License-Identifier: Apache-2.0

"""The steps of ``heat-extras-sandbox demo``, as data."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Step:
    """One command of the openstack client and what it should do.

    ``says`` and ``never_says`` are looked for in all that the command
    writes, without regard to case. A step with ``retries`` is repeated, a
    second apart, until it does what it should; one with ``settles`` is
    repeated as often and has to do so every time.
    """

    story: str
    command: tuple[str, ...]
    succeeds: bool = True
    says: tuple[str, ...] = ()
    never_says: tuple[str, ...] = ()
    retries: int = 0
    settles: int = 0

    def fault(self, status, text):
        """Tell what is wrong with an answer.

        :param status: exit status of the client
        :param text: all that it wrote
        :returns: a sentence, or None if the answer is as it should be
        """
        if self.succeeds and status != 0:
            return 'it failed with status %d, wanted success' % status
        if not self.succeeds and status == 0:
            return 'it succeeded, wanted a refusal'
        found = text.lower()
        for wanted in self.says:
            if wanted.lower() not in found:
                return 'the answer lacks %r' % wanted
        for unwanted in self.never_says:
            if unwanted.lower() in found:
                return 'the answer contains %r' % unwanted
        return None


_SIZE = ('stack', 'output', 'show', 'web', 'size',
         '-f', 'value', '-c', 'output_value')
_SIGNAL = ('stack', 'resource', 'signal', 'web', 'scale_up')
_LOCK_FIELDS = ('-c', 'stack_status', '-c', 'lock_level',
                '-c', 'lock_reason', '-c', 'locked_by')

STEPS = (
    Step('A stack with a group that can scale.',
         ('stack', 'create', '-t', 'web.yaml', '--wait', 'web'),
         says=('CREATE_COMPLETE',)),
    Step('The group has one member.', _SIZE, says=('1',)),
    Step('Lock the stack.',
         ('stack', 'lock', '--level', 'stacks', '--reason', 'db move',
          'web'),
         says=('web',)),
    Step('Everybody who may see the stack sees the lock.',
         ('stack', 'show', 'web', *_LOCK_FIELDS),
         says=('LOCK_COMPLETE', 'stacks', 'db move', 'alice'),
         never_says=('UNLOCK_COMPLETE',)),
    Step('An update is refused.',
         ('stack', 'update', '--existing', '--parameter', 'note=second',
          'web'),
         succeeds=False, says=('is locked', 'db move', 'stack unlock web')),
    Step('So is a deletion.',
         ('stack', 'delete', '--yes', 'web'),
         succeeds=False, says=('is locked', 'db move')),
    Step('A scaling signal is accepted, for its sender is a machine that '
         'would only repeat it ...', _SIGNAL),
    Step('... and ignored: the group stays as it is.', _SIZE,
         says=('1',), settles=3),
    Step('Lift the lock.', ('stack', 'unlock', 'web'), says=('web',)),
    Step('The stack is free; the next operation clears UNLOCK_COMPLETE.',
         ('stack', 'show', 'web', *_LOCK_FIELDS),
         says=('UNLOCK_COMPLETE',), never_says=('db move',)),
    Step('The same signal now ...', _SIGNAL),
    Step('... scales the group.', _SIZE, says=('2',), retries=60),
    Step('Delete the stack.',
         ('stack', 'delete', '--yes', '--wait', 'web')),
    Step('Nothing is left.', ('stack', 'list', '-f', 'value'),
         never_says=('web',)),
)
