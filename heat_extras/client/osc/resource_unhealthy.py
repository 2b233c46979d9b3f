# SPDX-License-Identifier: Apache-2.0

"""``openstack stack resource unhealthy``."""

from heatclient import exc

from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras.client.osc import base
from heat_extras.client import stack_action
from heat_extras.output import lister

RESET = 'reset'

COLUMNS = ('Stack Name', 'Resource Name', 'Resource Status', 'Result')


class UnhealthyResources(base.SeveralLister):
    """Mark resources as unhealthy, so that the next update replaces them.

    Each resource is marked with a separate request. After an error, the
    command continues with the next resource. To mark a resource of a nested
    stack, you can give its physical ID.

    Examples:

      Let the next update replace two broken resources:
        openstack stack resource unhealthy --reason 'bad disk' web db cache

      Reset the marks:
        openstack stack resource unhealthy --reset web db cache
    """

    shown = lister.Columns(COLUMNS, wrapped=('Result',))

    def add_arguments(self, parser):
        parser.add_argument(
            'stack', metavar='<stack>',
            help='Stack that contains the resources (name or ID)')
        parser.add_argument(
            'resource', metavar='<resource>', nargs='+',
            help='Resource(s) to mark (name or physical ID)')
        parser.add_argument(
            '--reason', metavar='<text>', default='',
            help='Reason, shown with the status of the resource (default: '
                 f'"{managers.MARKED}", or "{managers.RESET}" with --reset)')
        parser.add_argument(
            '--reset', action='store_true',
            help='Mark the resources as healthy again')
        parser.add_argument(
            '--force', action='store_true',
            help='Mark the resources even if more resources of the stack '
                 'would be unhealthy than this Heat allows')

    def take_action(self, parsed_args):
        self.manager = managers.HealthManager(self.heat)
        self.number = len(parsed_args.resource)
        try:
            stack = self.manager.resolve(parsed_args.stack)
        except error_message.FAILURES as error:
            self.fail('stack', parsed_args.stack,
                      error_message.describe(error))
            return COLUMNS, [(parsed_args.stack, name, None,
                              stack_action.FAILED)
                             for name in parsed_args.resource]
        results = self._mark_each(stack, parsed_args)
        listed = self._list_resources(stack)
        return COLUMNS, [(*_row_of(listed, stack, name), result)
                         for name, result in results]

    def _mark_each(self, stack, parsed_args):
        results, left = [], list(parsed_args.resource)
        try:
            while left:
                results.append((left[0], self._mark_result(stack, left[0],
                                                           parsed_args)))
                del left[0]
        except KeyboardInterrupt:
            self.is_interrupted = True
            results.append((left.pop(0), 'interrupted'))
        if left:
            self.print_to_stderr('No request was sent for these resources: '
                                 + ', '.join(left))
        return results

    def _mark_result(self, stack, name, parsed_args):
        try:
            warnings = self._mark(stack, name, parsed_args)
        except error_message.FAILURES as error:
            self.fail('resource', name,
                      error_message.describe(error,
                                             error_message.MISSING_MARKS))
            return stack_action.FAILED
        done = RESET if parsed_args.reset else 'marked'
        return '. '.join([done, *warnings])

    def _mark(self, stack, name, parsed_args):
        options = {'unhealthy': not parsed_args.reset,
                   'reason': parsed_args.reason, 'force': parsed_args.force}
        try:
            return self.manager.mark(stack, name, **options)
        except exc.HTTPNotFound:
            nested = managers.find_by_physical_id(
                self._list_resources(stack), name)
            if nested is None:
                raise
        return self.manager.mark(managers.stack_of(nested),
                                 nested.resource_name, **options)

    def _list_resources(self, stack):
        try:
            return list(self.heat.resources.list(
                stack, nested_depth=managers.NESTED_DEPTH))
        except error_message.FAILURES:
            # A policy can allow marks but not this list. The marks are set.
            return []


def _row_of(listed, stack, name):
    """Return the first columns of the row of one resource."""
    for each in listed:
        if (managers.stack_of(each), each.resource_name) == (stack, name):
            break
    else:
        each = managers.find_by_physical_id(listed, name)
    if each is None:
        return stack.partition('/')[0], name, None
    return (managers.stack_of(each).partition('/')[0], each.resource_name,
            each.resource_status)
