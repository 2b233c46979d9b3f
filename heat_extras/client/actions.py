# SPDX-License-Identifier: Apache-2.0

"""Actions on root stacks: their options and requests.

Both clients have these in common.
"""

import typing

from heat_extras.client import managers
from heat_extras.client import options

_LEVEL = '--level', {
    'choices': managers.LEVELS,
    'help': 'Level of the lock: "stacks" locks only the stacks, "all" also '
            'protects the resources whose services support this (default: the '
            'level of the current lock, or "all" if the stack is not locked)'}
_REPLACE = '--replace', {
    'action': 'store_true',
    'help': 'Replace the level, reason and expiration of the current lock, '
            'even if another user has set this lock. Without this option, a '
            'lock of another user is not changed, and your own lock keeps '
            'each value that you do not give'}
_REPLACE_PROTECTION = '--replace', {
    'action': 'store_true',
    'help': 'Replace the current protection and its reason, even if another '
            'user has set it. Without this option, a protection of another '
            'user is not changed, and your own protection keeps its reason if '
            'you do not give one'}
_RESOURCES = '--resources', {
    'action': 'store_true',
    'help': 'Also reject updates that would replace or remove a resource of '
            'the stack or of a nested stack. Updates in place stay allowed. '
            'Only "stack unprotect" removes this'}
_IF_UNLOCKED = '--if-unlocked', {
    'action': 'store_const', 'dest': 'lock_id', 'const': None,
    'default': managers.ANY,
    'help': 'Lock only stacks that are not locked. For a locked stack, the '
            'request is rejected'}
_IGNORE = '--ignore-failures', {
    'action': 'store_true',
    'help': 'Unlock the stack even if the services of some resources do not '
            'release them. The command waits as with --wait, and lists the '
            'resources that stay protected'}
_WAIT = '--wait', {
    'action': 'store_true',
    'help': 'Wait until the action is complete, and show its events on '
            'standard error'}
_DRY_RUN = '--dry-run', {
    'action': 'store_true',
    'help': 'List the resources, and whether the lock would protect them, but '
            'do not lock the stack'}


class Action(typing.NamedTuple):
    """An action on one or several stacks.

    :ivar name: the name as in the resulting status, for example ``LOCK``.
    :ivar send: a function that sends the request. It takes the lock manager,
        the identity of the stack and the arguments of the command line.
    :ivar options: tuples of alternative options. A user can give one option
        of each tuple. An option has its name and the arguments of argparse's
        ``add_argument``.
    :ivar needed: the same, for alternatives of which a user must give one.
    :ivar purpose: the action in the help, if the verb is not enough.
    """

    name: str
    send: typing.Callable
    options: tuple = ()
    needed: tuple[tuple, ...] = ()
    purpose: str = ''

    @property
    def verb(self):
        """Return the action as a user types it."""
        return self.name.lower().replace('_', '-')

    def add_arguments(self, parser):
        """Add the stacks and the options of the action to a command."""
        # Not required for argparse, because its error says "--tag <stack>".
        which = parser.add_mutually_exclusive_group()
        parser.set_defaults(usage_error=parser.error, wait=False)
        which.add_argument(
            '--tag', metavar='<tag>', action='append', default=[],
            help=f'{(self.purpose or self.verb).capitalize()} all root stacks '
                 'with this tag in the project (repeat the option to select '
                 'only stacks that have all of the tags)')
        # argparse accepts a positional argument here only with a default.
        which.add_argument(
            'stack', metavar='<stack>', nargs='*', default=[],
            help='Root stack(s) (name or ID)')
        for alternatives in self.options:
            _add_one_of(parser, alternatives)
        for alternatives in self.needed:
            _add_one_of(parser, alternatives, required=True)


def _add_one_of(parser, alternatives, **known):
    if len(alternatives) == 1:
        # If an option of a group is missing, argparse's error says "one of".
        (name, each), = alternatives
        parser.add_argument(name, **each, **known)
        return
    group = parser.add_mutually_exclusive_group(**known)
    for name, each in alternatives:
        group.add_argument(name, **each)


def _reason(readers):
    return '--reason', {'metavar': '<text>',
                        'help': f'Reason, shown to {readers}'}


def _lock_id(default, verb):
    return '--lock-id', {
        'metavar': '<id>', 'default': default,
        'help': f'{verb} only the lock with this ID. If this lock is not in '
                'effect, the request is rejected'}


def _sender(method, *names):
    """Return a function that sends a request of the lock manager.

    :param names: the arguments of the command line that the method has
    """
    def send(manager, identity, arguments):
        return getattr(manager, method)(
            identity, **{name: getattr(arguments, name) for name in names})
    return send


def _grant(manager, identity, arguments):
    return manager.grant_pass(
        identity, options.pass_user(arguments.user, arguments.user_domain),
        arguments.expires_at, arguments.reason)


LOCK = Action('LOCK', _sender(
    'lock', 'level', 'reason', 'lock_id', 'expires_at', 'replace',
    'dry_run'), (
        (_LEVEL,), (_reason('users whose requests are rejected'),),
        (options.AT, options.FOR), (_REPLACE,),
        (_IF_UNLOCKED, _lock_id(managers.ANY, 'Change')), (_WAIT,),
        (_DRY_RUN,)))
UNLOCK = Action('UNLOCK', _sender('unlock', 'lock_id', 'ignore_failures'), (
    (_lock_id(None, 'Remove'),), (_IGNORE,), (_WAIT,)))
EXTEND = Action(
    'EXTEND_LOCK', _sender('extend_lock', 'expires_at', 'lock_id'),
    ((_lock_id(None, 'Change'),),),
    needed=((options.AT, options.FOR, options.NEVER),),
    purpose='change the expiration of the locks of')
GRANT = Action(
    'LOCK_PASS', _grant, (
        (options.PASS_DOMAIN,), (_reason('users who display the stack'),)),
    needed=((options.PASS_USER,), (options.PASS_AT, options.PASS_FOR)),
    purpose='grant a lock pass for')
REVOKE = Action('REVOKE_LOCK_PASS', _sender('revoke_pass'),
                purpose='revoke the lock passes of')
PROTECT = Action('PROTECT', _sender('protect', 'reason', 'replace',
                                    'resources'), (
    (_reason('users whose requests are rejected'),),
    (_RESOURCES,), (_REPLACE_PROTECTION,)))
UNPROTECT = Action('UNPROTECT', _sender('unprotect'))
