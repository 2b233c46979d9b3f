# SPDX-License-Identifier: Apache-2.0

"""The chapters of ``heat-extras-sandbox demo``, as data."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Step:
    """One command, and its expected result.

    :ivar story: the explanation before the command.
    :ivar command: the arguments of the program.
    :ivar succeeds: whether the exit status must be 0.
    :ivar says: texts that the output must contain. Case and the lines of a
        table are ignored.
    :ivar never_says: texts that the output must not contain.
    :ivar waits: whether to repeat the step each second until it succeeds.
    :ivar pause: seconds to wait before the step.
    :ivar project: a project in place of the demo's project.
    :ivar token: the token of a user in place of Alice.
    :ivar program: the program in place of the openstack client.
    """

    story: str
    command: tuple[str, ...]
    succeeds: bool = True
    says: tuple[str, ...] = ()
    never_says: tuple[str, ...] = ()
    waits: bool = False
    pause: int = 0
    project: str = ''
    token: str = ''
    program: str = 'openstack'

    def fault(self, status, text):
        """Return the difference between an answer and the expected result.

        :param status: exit status of the client
        :param text: its whole output
        :returns: a sentence, or None if the answer is as expected
        """
        if self.succeeds and status != 0:
            return ('the command failed with status %d: expected '
                    'success') % status
        if not self.succeeds and status == 0:
            return 'the command succeeded: expected an error'
        answer = ' '.join(text.lower().replace('|', ' ').split())
        for expected in self.says:
            if expected.lower() not in answer:
                return 'the answer does not contain %r' % expected
        for unexpected in self.never_says:
            if unexpected.lower() in answer:
                return 'the answer contains %r' % unexpected
        return None


@dataclasses.dataclass(frozen=True)
class Chapter:
    """The steps that show one feature.

    :param name: the name for ``--only``.
    :param title: the heading.
    :param alone: the behavior of Heat without heat-extras.
    :param page: the page of the documentation to read next.
    :param stack: the stack of the steps. Several chapters can have the same.
    """

    name: str
    title: str
    alone: str
    page: str
    steps: tuple[Step, ...]
    stack: str = ''


def with_stacks(chapters):
    """Add the creation of each stack to the first chapter that needs it.

    :returns: pairs of chapter and steps.
    """
    created = {''}
    for chapter in chapters:
        opening = () if chapter.stack in created else _CREATED[chapter.stack]
        created.add(chapter.stack)
        yield chapter, (*opening, *chapter.steps)


_SIZE = ('stack', 'output', 'show', 'web', 'size',
         '-f', 'value', '-c', 'output_value')
_SIGNAL = ('stack', 'resource', 'signal', 'web', 'scale_up')
_LOCK_FIELDS = ('-c', 'stack_status', '-c', 'lock_status',
                '-c', 'lock_reason', '-c', 'locked_by')
# Not a table, because a table on a narrow terminal wraps the reason.
_STATUS = ('-f', 'value', '-c', 'stack_status', '-c', 'stack_status_reason')
_SHORT = ('-f', 'value', '-c', 'stack_status')
_RESULT = ('-f', 'value', '-c', 'Result')
_RESOURCES = ('stack', 'resource', 'list', 'shop', '-c', 'resource_name',
              '-c', 'physical_resource_id', '-c', 'resource_status')
_UPDATE = ('stack', 'update', '--existing')
_BOB = 'bob:member'


def _create(story, name, *options, **expectations):
    return Step(story, ('stack', 'create', '-t', f'{name}.yaml', name,
                        *options), **expectations)


_CREATED = {
    'web': (
        _create('Alice creates the stack web, with a group that can scale.',
                'web', *_SHORT, says=('CREATE_',)),
        Step('The group has one member.', _SIZE, says=('1',), waits=True),
    ),
    'shop': (
        _create('Alice creates the stack shop. Its template protects a '
                'parameter and a resource.', 'shop', *_SHORT,
                says=('CREATE_',)),
        Step('List the resources of the stack. Look at physical_resource_id: '
             'a resource that is replaced gets a new ID.', _RESOURCES,
             says=('CREATE_COMPLETE',), never_says=('IN_PROGRESS', 'INIT_'),
             waits=True),
    ),
}

_LOCK = (
    Step('Alice locks the stack before she moves its database. Look at '
         'Result.',
         ('stack', 'lock', '--level', 'stacks', '--reason', 'db move',
          'web'),
         says=('locked',), waits=True),
    Step('All users of the project see the lock, beside the status of the '
         'stack.',
         ('stack', 'show', 'web', *_LOCK_FIELDS),
         says=('CREATE_COMPLETE', ' LOCK_COMPLETE', 'db move', 'alice')),
    Step('An update is rejected. Look at the error: it states who locked the '
         'stack, when, why, and how to unlock it.',
         (*_UPDATE, '--parameter', 'note=second', 'web'),
         succeeds=False, says=('is locked', 'db move', 'stack unlock web')),
    Step('A delete is rejected as well.',
         ('stack', 'delete', '--yes', 'web'),
         succeeds=False, says=('is locked', 'db move')),
    Step('An alarm sends a scaling signal. Heat accepts the signal, because '
         'an alarm would only repeat a rejected signal ...', _SIGNAL),
    Step('... and ignores the signal: the group still has one member.',
         _SIZE, says=('1',), pause=2),
    Step('The move is done: unlock the stack.',
         ('stack', 'unlock', 'web', *_RESULT),
         says=('unlocked',), never_says=('db move',)),
    Step('The same signal ...', _SIGNAL),
    Step('... scales the group now.', _SIZE, says=('2',), waits=True),
)

_PROTECT = (
    Step('Protect the stack. Look at Result.',
         ('stack', 'protect', '--reason', 'customer data', 'web', *_RESULT),
         says=('protected',), waits=True),
    Step('A delete is rejected. Look at the error: it states who protected '
         'the stack, when, why, and how to remove the protection.',
         ('stack', 'delete', '--yes', 'web'),
         succeeds=False, says=('is protected from deletion', 'customer data',
                               'stack unprotect web')),
    Step('All other operations are allowed: this update starts.',
         (*_UPDATE, '--parameter', 'note=second', 'web', *_SHORT),
         says=('UPDATE_',), waits=True),
)

_PARAMETERS = (
    Step('The template has updatable: false for the parameter zone. Look at '
         'the error: an update with another zone is rejected before it '
         'starts.',
         (*_UPDATE, '--parameter', 'zone=south', 'shop'),
         succeeds=False, says=('may not be updated: zone',), waits=True),
    Step('Other parameters can change: this update starts.',
         (*_UPDATE, '--parameter', 'note=second', 'shop', *_SHORT),
         says=('UPDATE_',)),
)

_POLICY = (
    Step('The template has update_policy: {allow: {replace: false}} for the '
         'database, and another size would replace it. Look at the reason: '
         'the update fails before Heat changes a resource.',
         (*_UPDATE, '--parameter', 'size=large', 'shop', *_STATUS),
         says=('UPDATE_FAILED', 'nothing was changed', 'resource database'),
         waits=True),
    Step('Look at physical_resource_id: the database is the same.',
         _RESOURCES, says=('database', 'CREATE_COMPLETE')),
)

_HEALTH = (
    Step('The cache is broken, and an operator marks it as unhealthy. Look at '
         'resource_status: the next update replaces the resource.',
         ('stack', 'resource', 'unhealthy', '--reason', 'bad blocks', 'shop',
          'cache'),
         says=('cache', 'CHECK_FAILED', 'marked'), waits=True),
    Step('An update without any other change ...',
         (*_UPDATE, 'shop', *_SHORT), says=('UPDATE_',)),
    Step('... replaces the cache. Look at physical_resource_id: the cache has '
         'a new ID, the database has the same ID as before.',
         _RESOURCES, says=('cache', 'CREATE_COMPLETE'),
         never_says=('CHECK_FAILED', 'IN_PROGRESS'), waits=True),
)

_LIFECYCLE = (
    _create("The operator's file limits.yaml allows two random strings in a "
            'stack. This template has three.', 'greedy', *_SHORT,
            says=('CREATE_',)),
    Step("Look at the reason: the stack was denied with the operator's "
         'message, before a resource was created.',
         ('stack', 'show', 'greedy', *_STATUS),
         says=('CREATE_FAILED', 'denied by lifecycle plugin',
               'ask the platform team'), waits=True),
)

_FREEZE = (
    _create("The operator's file freezes.yaml freezes the project accounting. "
            'Look at the error: it states until when the project is frozen, '
            'and why.', 'web',
            succeeds=False, says=('frozen until', 'the books are closed'),
            project='accounting'),
)

_GUARDS = (
    Step('Lock the stack shop.',
         ('stack', 'lock', '--level', 'stacks', '--reason', 'db move',
          'shop', *_RESULT),
         says=('locked',), waits=True),
    Step('List the guards of the stack: a lock, a parameter, a resource, and '
         'plugins. Look at the last column: it states how to remove each '
         'guard.',
         ('stack', 'guard', 'list', 'shop', '-c', 'Kind', '-c', 'Name', '-c',
          'How To Lift'),
         says=('lock', 'parameter', 'policy', 'plugin')),
)

_PLAN = (
    Step('Plan an update with another size. Look at the symbols: the update '
         'would replace the database, and the template forbids it.',
         ('stack', 'plan', '--existing', '--parameter', 'size=large',
          'shop'),
         succeeds=False, says=('-/+', 'database', 'Stopped by',
                               'UpdatePolicyRestricted', '1 to replace'),
         waits=True),
    Step('Plan an update that changes only the sign, and write the plan to a '
         'file for a reviewer.',
         ('stack', 'plan', '--existing', '--parameter', 'note=third',
          '--out', 'shop.plan', 'shop'),
         succeeds=False, says=('~ sign', 'third', 'shop.plan'),
         waits=True),
    Step('Bob reviews the file. Look at "The plan fits": the update would '
         'still do exactly this.',
         ('stack', 'plan', 'show', 'shop.plan'), token=_BOB,
         says=('~ sign', 'The plan fits')),
    Step('Somebody edits a copy of the file ...',
         ('-n', 's/third/stolen/; w edited.plan', 'shop.plan'),
         program='sed'),
    Step('... and cannot apply it. Look at the error: Heat notices that the '
         'file is not what it has planned.',
         ('stack', 'update', '--plan', 'edited.plan', 'shop'),
         succeeds=False, says=('edited after Heat made it',
                               'Nothing was changed')),
    Step('Bob approves, and applies the plan that he has seen.',
         ('stack', 'update', '--plan', 'shop.plan', 'shop', *_SHORT),
         token=_BOB, says=('UPDATE_',)),
)

CHAPTERS = (
    Chapter('lock', 'Lock a stack',
            'any member of the project, and any alarm, can change or delete '
            'the stack during maintenance.', 'user/stack-lock', _LOCK, 'web'),
    Chapter('protect', 'Protect a stack from deletion',
            'one command of one user deletes the stack, with its data.',
            'user/delete-protection', _PROTECT, 'web'),
    Chapter('parameters', 'Keep the value of a parameter',
            'any update can change any parameter, and can move the shop to '
            'another zone.', 'template_guide/parameters', _PARAMETERS, 'shop'),
    Chapter('policy', 'Keep a resource',
            'a changed property can replace the database: Heat creates a new '
            'one and deletes the old one.', 'template_guide/update-policy',
            _POLICY, 'shop'),
    Chapter('health', 'Replace a broken resource',
            'a stack check removes the mark, and a group can remove a healthy '
            'member in place of the marked one.', 'user/resource-health',
            _HEALTH, 'shop'),
    Chapter('lifecycle', 'Limit what stacks contain',
            'any resource type is allowed in any number, up to the '
            'quotas.', 'admin/lifecycle-plugins', _LIFECYCLE),
    Chapter('freeze', 'Freeze the stacks of a project',
            'an operator changes policy files by hand before and after the '
            'freeze.',
            'admin/freezes', _FREEZE),
    Chapter('plan', 'Plan, review and apply an update',
            'the preview of an update lists some resources under the wrong '
            'change, gives no reasons, and binds nobody.',
            'user/plan', _PLAN, 'shop'),
    Chapter('guards', 'List what protects a stack',
            'no list shows what protects a '
            'stack.', 'user/guards', _GUARDS, 'shop'),
)
NAMES = tuple(chapter.name for chapter in CHAPTERS)
