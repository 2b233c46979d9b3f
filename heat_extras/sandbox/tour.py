# SPDX-License-Identifier: Apache-2.0

"""The chapters of ``heat-extras-sandbox demo``, as data."""

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


@dataclasses.dataclass(frozen=True)
class Chapter:
    """What one feature does, shown with a stack of its own.

    :param name: for ``--only``.
    :param title: what it is about.
    :param page: of the documentation, to read next.
    """

    name: str
    title: str
    page: str
    steps: tuple[Step, ...]


_SIZE = ('stack', 'output', 'show', 'web', 'size',
         '-f', 'value', '-c', 'output_value')
_SIGNAL = ('stack', 'resource', 'signal', 'web', 'scale_up')
_LOCK_FIELDS = ('-c', 'stack_status', '-c', 'lock_level',
                '-c', 'lock_reason', '-c', 'locked_by')
_STATUS = ('-c', 'stack_status', '-c', 'stack_status_reason')
_SHORT = ('-f', 'value', '-c', 'stack_status')
_RESOURCES = ('stack', 'resource', 'list', 'shop', '-c', 'resource_name',
              '-c', 'physical_resource_id', '-c', 'resource_status')


def _delete(name):
    return Step('Delete the stack.',
                ('stack', 'delete', '--yes', '--wait', name))


_LOCK = (
    Step('A stack with a group that can scale.',
         ('stack', 'create', '-t', 'web.yaml', '--wait', 'web', *_SHORT),
         says=('CREATE_COMPLETE',)),
    Step('The group has one member.', _SIZE, says=('1',)),
    Step('Lock the stack. Look at the result: what a service could protect '
         'by a lock of its own would be listed.',
         ('stack', 'lock', '--level', 'stacks', '--reason', 'db move',
          'web'),
         says=('web',)),
    Step('Everybody who may see the stack sees the lock.',
         ('stack', 'show', 'web', *_LOCK_FIELDS),
         says=('LOCK_COMPLETE', 'stacks', 'db move', 'alice'),
         never_says=('UNLOCK_COMPLETE',)),
    Step('An update is refused. Look at the answer: who, since when, why, '
         'and how to lift it.',
         ('stack', 'update', '--existing', '--parameter', 'note=second',
          'web'),
         succeeds=False, says=('is locked', 'db move', 'stack unlock web')),
    Step('So is a deletion.',
         ('stack', 'delete', '--yes', 'web'),
         succeeds=False, says=('is locked', 'db move')),
    Step('A scaling signal is accepted, for its sender is a machine that '
         'would only repeat it ...', _SIGNAL),
    Step('... and ignored: the group stays as it is.', _SIZE,
         says=('1',), settles=2),
    Step('Lift the lock.', ('stack', 'unlock', 'web'), says=('web',)),
    Step('The stack is free; the next operation clears UNLOCK_COMPLETE.',
         ('stack', 'show', 'web', *_LOCK_FIELDS),
         says=('UNLOCK_COMPLETE',), never_says=('db move',)),
    Step('The same signal now ...', _SIGNAL),
    Step('... scales the group.', _SIZE, says=('2',), retries=60),
    _delete('web'),
    Step('Nothing is left.', ('stack', 'list', '-f', 'value'),
         never_says=('web',)),
)

_PARAMETERS = (
    Step('A stack whose template says updatable: false of the parameter '
         'zone.',
         ('stack', 'create', '-t', 'shop.yaml', '--wait', 'shop', *_SHORT),
         says=('CREATE_COMPLETE',)),
    Step('Another zone is refused, and nothing was begun.',
         ('stack', 'update', '--existing', '--parameter', 'zone=south',
          'shop'),
         succeeds=False, says=('may not be updated: zone',)),
    Step('The other parameter may change.',
         ('stack', 'update', '--existing', '--parameter', 'note=second',
          '--wait', 'shop', *_SHORT),
         says=('UPDATE_COMPLETE',)),
    _delete('shop'),
)

_POLICY = (
    Step('A stack whose template says update_policy: {allow: {replace: '
         'false}} of its database.',
         ('stack', 'create', '-t', 'shop.yaml', '--wait', 'shop', *_SHORT),
         says=('CREATE_COMPLETE',)),
    Step('Another size would replace it. Look at the reason: the update is '
         'refused before anything is touched.',
         ('stack', 'update', '--existing', '--parameter', 'size=large',
          'shop', *_STATUS),
         says=('UPDATE_FAILED', 'nothing was changed', 'resource database')),
    Step('A preview shows it, too: look for restricted_reason.',
         ('stack', 'update', '--existing', '--dry-run', '--parameter',
          'size=large', 'shop', '-c', 'restricted'),
         says=('restricted_reason', 'which its update_policy forbids')),
    Step('The database is what it was.', _RESOURCES,
         says=('database', 'CREATE_COMPLETE')),
    _delete('shop'),
)

_LIFECYCLE = (
    Step("This Heat asks a plugin before every action; the operator's file "
         'limits.yaml allows two random strings per stack. Look at the '
         'reason: it has the words of the operator.',
         ('stack', 'create', '-t', 'greedy.yaml', 'greedy', *_SHORT),
         says=('CREATE_',)),
    Step('It was denied before anything was made.',
         ('stack', 'show', 'greedy', *_STATUS),
         says=('CREATE_FAILED', 'denied by lifecycle plugin',
               'ask the platform team'), retries=60),
    _delete('greedy'),
)

_HEALTH = (
    Step('A stack with a cache that people know to be broken. Look at the '
         'physical_resource_id of cache.',
         ('stack', 'create', '-t', 'shop.yaml', '--wait', 'shop', *_SHORT),
         says=('CREATE_COMPLETE',)),
    Step('Say so.',
         ('stack', 'resource', 'mark', 'unhealthy', 'shop', 'cache',
          'bad blocks')),
    Step('It waits for the next update.', _RESOURCES,
         says=('cache', 'CHECK_FAILED')),
    Step('The next update, which changes nothing else, replaces it.',
         ('stack', 'update', '--existing', '--wait', 'shop', *_SHORT),
         says=('UPDATE_COMPLETE',)),
    Step('It has another physical_resource_id.', _RESOURCES,
         says=('cache', 'CREATE_COMPLETE'), never_says=('CHECK_FAILED',)),
    _delete('shop'),
)

_GUARDS = (
    Step('A stack with a lock, a parameter and a resource that stay.',
         ('stack', 'create', '-t', 'shop.yaml', '--wait', 'shop', *_SHORT),
         says=('CREATE_COMPLETE',)),
    Step('Lock it.',
         ('stack', 'lock', '--level', 'stacks', '--reason', 'db move',
          'shop', '-f', 'value', '-c', 'Result'),
         says=('locked',)),
    Step('What stops me here? Look at the last column: it tells how to lift '
         'each guard.',
         ('stack', 'guard', 'list', 'shop'),
         says=('lock', 'parameter', 'policy', 'plugin')),
    Step('Lift the lock.', ('stack', 'unlock', 'shop', '-f', 'value', '-c',
                            'Result'), says=('unlocked',)),
    _delete('shop'),
)

CHAPTERS = (
    Chapter('lock', 'A stack is locked', 'stack-lock', _LOCK),
    Chapter('parameters', 'A parameter that stays', 'parameters',
            _PARAMETERS),
    Chapter('policy', 'A resource that stays', 'update-policy', _POLICY),
    Chapter('lifecycle', 'The operator has a say', 'lifecycle', _LIFECYCLE),
    Chapter('health', 'A broken resource is replaced', 'health', _HEALTH),
    Chapter('guards', 'What stops me here?', 'guards', _GUARDS),
)
NAMES = tuple(chapter.name for chapter in CHAPTERS)
