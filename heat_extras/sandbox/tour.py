# SPDX-License-Identifier: Apache-2.0

"""The chapters of ``heat-extras-sandbox demo``, as data."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Step:
    """One command of the openstack client and what it should do.

    ``says`` and ``never_says`` are looked for in all that the command
    writes, without regard to case and to the lines of a table. A step that
    ``waits`` is repeated, a second apart, until it does what it should; one
    with ``settles`` is repeated as often and has to do so every time.
    """

    story: str
    command: tuple[str, ...]
    succeeds: bool = True
    says: tuple[str, ...] = ()
    never_says: tuple[str, ...] = ()
    waits: bool = False
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
        found = ' '.join(text.lower().replace('|', ' ').split())
        for wanted in self.says:
            if wanted.lower() not in found:
                return 'the answer lacks %r' % wanted
        for unwanted in self.never_says:
            if unwanted.lower() in found:
                return 'the answer contains %r' % unwanted
        return None


@dataclasses.dataclass(frozen=True)
class Chapter:
    """What one feature does.

    :param name: for ``--only``.
    :param title: what it is about.
    :param page: of the documentation, to read next.
    :param needs_shop: whether it is about the stack shop, which chapters
        share; others have one of their own.
    """

    name: str
    title: str
    page: str
    steps: tuple[Step, ...]
    needs_shop: bool = True


def steps_of(chapters):
    """Complete the chapters that are to be played.

    The stack shop is made before the first one that needs it, and deleted
    after the last one.

    :returns: pairs of chapter and steps.
    """
    needing = [chapter for chapter in chapters if chapter.needs_shop]
    for chapter in chapters:
        yield chapter, (*(_OPENED if chapter in needing[:1] else ()),
                        *chapter.steps,
                        *((_delete('shop'),) if chapter in needing[-1:]
                          else ()))


_WEB = ('stack', 'resource', 'list', 'web', '-c', 'resource_name',
        '-c', 'resource_status')
_SIZE = ('stack', 'output', 'show', 'web', 'size',
         '-f', 'value', '-c', 'output_value')
_SIGNAL = ('stack', 'resource', 'signal', 'web', 'scale_up')
_LOCK_FIELDS = ('-c', 'stack_status', '-c', 'lock_status',
                '-c', 'lock_level', '-c', 'lock_reason', '-c', 'locked_by')
_STATUS = ('-c', 'stack_status', '-c', 'stack_status_reason')
_SHORT = ('-f', 'value', '-c', 'stack_status')
_RESOURCES = ('stack', 'resource', 'list', 'shop', '-c', 'resource_name',
              '-c', 'physical_resource_id', '-c', 'resource_status')
_UPDATE = ('stack', 'update', '--existing')


def _create(story, name):
    return Step(story, ('stack', 'create', '-t', f'{name}.yaml', name,
                        *_SHORT), says=('CREATE_',))


def _delete(name):
    return Step('Delete the stack.', ('stack', 'delete', '--yes', name),
                waits=True)


def _made(story, command):
    return Step(story, command, says=('CREATE_COMPLETE',),
                never_says=('IN_PROGRESS', 'INIT_'), waits=True)


_OPENED = (
    _create('A stack whose template guards a parameter and a resource.',
            'shop'),
    _made('Its resources. Look at their physical_resource_id: whatever is '
          'replaced gets another one.', _RESOURCES),
)

_LOCK = (
    _create('A stack with a group that can scale.', 'web'),
    _made('Its resources are there ...', _WEB),
    Step('... and the group has one member.', _SIZE, says=('1',),
         waits=True),
    Step('Lock the stack. Look at the last line, the result.',
         ('stack', 'lock', '--level', 'stacks', '--reason', 'db move',
          'web'),
         says=('locked',), waits=True),
    Step('Everybody who may see the stack sees the lock, beside its own '
         'status: look at lock_reason and locked_by.',
         ('stack', 'show', 'web', *_LOCK_FIELDS),
         says=('CREATE_COMPLETE', ' LOCK_COMPLETE', 'stacks', 'db move',
               'alice')),
    Step('An update is refused. Look at the answer: who, since when, why, '
         'and how to lift it.',
         (*_UPDATE, '--parameter', 'note=second', 'web'),
         succeeds=False, says=('is locked', 'db move', 'stack unlock web')),
    Step('So is a deletion.',
         ('stack', 'delete', '--yes', 'web'),
         succeeds=False, says=('is locked', 'db move')),
    Step('A scaling signal is accepted, for its sender is a machine that '
         'would only repeat it ...', _SIGNAL),
    Step('... and ignored: look at the size, the group stays as it is.',
         _SIZE, says=('1',), settles=1),
    Step('Lift the lock. Look at the last line again.',
         ('stack', 'unlock', 'web'),
         says=('unlocked',), never_says=('db move',)),
    Step('The same signal now ...', _SIGNAL),
    Step('... scales the group: look at the size.', _SIZE, says=('2',),
         waits=True),
    _delete('web'),
)

_PARAMETERS = (
    Step('The template says updatable: false of the parameter zone. Look at '
         'the answer to another zone: it is refused, and nothing was begun.',
         (*_UPDATE, '--parameter', 'zone=south', 'shop'),
         succeeds=False, says=('may not be updated: zone',),
         waits=True),
    Step('The other parameters may change: this update begins.',
         (*_UPDATE, '--parameter', 'note=second', 'shop', *_SHORT),
         says=('UPDATE_',)),
)

_POLICY = (
    Step('The template says update_policy: {allow: {replace: false}} of the '
         'database, and another size would replace it. Look at the reason: '
         'the update is refused before anything is touched.',
         (*_UPDATE, '--parameter', 'size=large', 'shop', *_STATUS),
         says=('UPDATE_FAILED', 'nothing was changed', 'resource database'),
         waits=True),
    Step('A preview shows it, too: look at its end, restricted_reason.',
         (*_UPDATE, '--dry-run', '--parameter', 'size=large', 'shop',
          '-c', 'restricted'),
         says=('restricted_reason', 'which its update_policy forbids')),
    Step('The database is what it was: look at its physical_resource_id.',
         _RESOURCES, says=('database', 'CREATE_COMPLETE')),
)

_LIFECYCLE = (
    _create("This Heat asks a plugin before every action; the operator's "
            'file limits.yaml allows two random strings per stack, and this '
            'template has three.', 'greedy'),
    Step('It was denied before anything was made. Look at the reason: it '
         'has the words of the operator.',
         ('stack', 'show', 'greedy', *_STATUS),
         says=('CREATE_FAILED', 'denied by lifecycle plugin',
               'ask the platform team'), waits=True),
    _delete('greedy'),
)

_HEALTH = (
    Step('People know that the cache is broken, and say so. Look at its '
         'status: it waits for the next update.',
         ('stack', 'resource', 'unhealthy', '--reason', 'bad blocks', 'shop',
          'cache'),
         says=('cache', 'CHECK_FAILED', 'marked'), waits=True),
    Step('The next update, which changes nothing else ...',
         (*_UPDATE, 'shop', *_SHORT), says=('UPDATE_',)),
    Step('... replaces it. Look at the physical_resource_id of cache: it is '
         'another one.', _RESOURCES, says=('cache', 'CREATE_COMPLETE'),
         never_says=('CHECK_FAILED', 'IN_PROGRESS'), waits=True),
)

_GUARDS = (
    Step('Lock it.',
         ('stack', 'lock', '--level', 'stacks', '--reason', 'db move',
          'shop', '-f', 'value', '-c', 'Result'),
         says=('locked',), waits=True),
    Step('What stops me here? Look at the last column: it tells how to lift '
         'each guard.',
         ('stack', 'guard', 'list', 'shop', '-c', 'Kind', '-c', 'Name', '-c',
          'How To Lift'),
         says=('lock', 'parameter', 'policy', 'plugin')),
    Step('Lift the lock.', ('stack', 'unlock', 'shop', '-f', 'value', '-c',
                            'Result'), says=('unlocked',)),
)

CHAPTERS = (
    Chapter('lock', 'A stack is locked', 'stack-lock', _LOCK,
            needs_shop=False),
    Chapter('parameters', 'A parameter that stays', 'parameters',
            _PARAMETERS),
    Chapter('policy', 'A resource that stays', 'update-policy', _POLICY),
    Chapter('lifecycle', 'The operator has a say', 'lifecycle', _LIFECYCLE,
            needs_shop=False),
    Chapter('health', 'A broken resource is replaced', 'health', _HEALTH),
    Chapter('guards', 'What stops me here?', 'guards', _GUARDS),
)
NAMES = tuple(chapter.name for chapter in CHAPTERS)
