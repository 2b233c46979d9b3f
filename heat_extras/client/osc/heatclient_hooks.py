# SPDX-License-Identifier: Apache-2.0

"""Locks in ``openstack stack show`` and ``stack list`` of heatclient.

cliff calls the hooks of a command. Programs get what heatclient prints: only
tables change, and what is asked for with ``-c Lock``.
"""

from cliff import hooks
from osc_lib import exceptions

from heat_extras.client import managers
from heat_extras.client.osc import lister
from heat_extras.client import stack_action
from heat_extras import sanitize

# The rows that follow the status, in this order. heatclient prints the fields
# of heat-extras somewhere behind the outputs and links.
_OF_LOCK = ('lock_level', 'lock_status', 'lock_status_reason', 'lock_id',
            'lock_reason', 'locked_by', 'locked_at', 'lock_expires_at',
            'lock_pass', 'prior_stack_status', 'updatable')
_PROTECTED = 'delete_protected'
_OF_PROTECTION = (_PROTECTED, 'delete_protected_by',
                  'delete_protected_at', 'delete_protection_reason')
_BEFORE = 'stack_status_reason'
_ROW, _COLUMN = 'lock', 'Lock'


class _Hook(hooks.CommandHook):

    def get_parser(self, parser):
        """Add no argument; overrides cliff.hooks.CommandHook."""
        return parser

    def get_epilog(self):
        """Add no text to the help; overrides cliff.hooks.CommandHook."""
        return ''

    def before(self, parsed_args):
        """Leave the arguments; overrides cliff.hooks.CommandHook."""
        return parsed_args

    def after(self, parsed_args, answer):
        """Change a table; overrides cliff.hooks.CommandHook.

        :param answer: the columns and the data that heatclient prints.
        """
        return (self.change(*answer)
                if parsed_args.formatter == lister.TABLE else answer)


class ShowStack(_Hook):
    """Show what a lock is near the status of its stack."""

    def change(self, names, values):
        """Put the rows of a lock together, below a sentence that says it."""
        found = dict(zip(names, values, strict=True))
        if managers.WITNESS not in found or _BEFORE not in found:
            return names, values
        if found[managers.WITNESS] is not None:
            found[_ROW] = sanitize.printable(
                _sentence(found), sanitize.encoding(self.cmd.app.stdout))
        ours = [name for name in (_ROW, *_OF_LOCK, *_OF_PROTECTION)
                if name in found]
        order = [name for name in found if name not in ours]
        place = order.index(_BEFORE) + 1
        order[place:place] = ours
        return tuple(order), tuple(found[name] for name in order)


class ListStacks(_Hook):
    """Show in a list which stacks are locked.

    The bodies of stacks have it, and heatclient prints other fields of them.
    """

    def get_parser(self, parser):
        """Add a filter."""
        parser.add_argument(
            '--delete-protected', action='store_true',
            help='List only stacks that are protected from deletion')
        return parser

    def before(self, parsed_args):
        """Remember the stacks that heatclient lists, and filter them."""
        self.levels = {}
        self.is_wanted = (_is_delete_protected if parsed_args.delete_protected
                          else lambda body: True)
        if self._may_show(parsed_args) or parsed_args.delete_protected:
            manager = self.cmd.app.client_manager.orchestration.stacks
            manager.list = self._noting(manager)
        return parsed_args

    def _may_show(self, parsed_args):
        return (parsed_args.formatter == lister.TABLE
                or _COLUMN in parsed_args.columns)

    def _noting(self, manager):
        def listed(**wanted):
            # Other commands of an interactive client list all stacks.
            vars(manager).pop('list', None)
            for stack in manager.list(**wanted):
                body = stack.to_dict()
                if self.is_wanted(body):
                    self.levels[body.get('id')] = _level(body)
                    yield stack
        return listed

    def after(self, parsed_args, answer):
        """Add a column where a stack is locked, or if it is asked for."""
        if not self._may_show(parsed_args):
            return answer
        names, rows = answer[0], list(answer[1])
        if 'ID' not in names or not (_COLUMN in parsed_args.columns
                                     or any(self.levels.values())):
            return names, rows
        place = list(names).index('ID')
        return (*names, _COLUMN), [
            (*row, self.levels.get(row[place]) or '') for row in rows]


class SignalResource(_Hook):
    """Warn that a signal to a resource of a locked stack may be ignored.

    Heat answers each signal with success.
    """

    def after(self, parsed_args, answer):
        """Look at the stack after the signal."""
        heat = self.cmd.app.client_manager.orchestration
        try:
            stack = heat.stacks.get(parsed_args.stack).to_dict()
        except stack_action.FAILURES:
            return answer
        if stack.get(managers.WITNESS) is not None:
            stream = self.cmd.app.stderr
            print(sanitize.printable(
                f'{_sentence(stack)}. Signals are ignored, except for wait '
                'conditions and software deployments. To see ignored '
                f'signals: openstack stack guard list {parsed_args.stack}',
                sanitize.encoding(stream)), file=stream)
        return answer


def _is_delete_protected(body):
    if _PROTECTED not in body:
        raise exceptions.CommandError(
            'The server does not report delete protection: heat-extras is '
            'not enabled there.')
    return body[_PROTECTED]


def _level(told):
    """Say how a stack is locked, in a word or two."""
    level, status = told.get(managers.WITNESS), told.get(managers.STATUS)
    return (level if level is None or status == 'LOCK_COMPLETE'
            else f'{level} ({status})')


def _sentence(found):
    parts = [f'Locked (level {found[managers.WITNESS]})']
    for word, name in (('by', 'locked_by'), ('since', 'locked_at'),
                       ('until', 'lock_expires_at')):
        if found.get(name):
            parts.append(f'{word} {found[name]}')
    reason = f': {found["lock_reason"]}' if found.get('lock_reason') else ''
    remedy = ('unlock its root stack' if found.get('parent')
              else f'openstack stack unlock {found.get("stack_name")}')
    return f'{" ".join(parts)}{reason}. To unlock: {remedy}'
