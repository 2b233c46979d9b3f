# SPDX-License-Identifier: Apache-2.0

"""Send the requests of heat-extras with a client of python-heatclient."""

import itertools
import sys
from urllib import parse

from heatclient.common import utils
from heatclient import exc
from heatclient.v1 import stacks

from heat_extras.client import options

LEVELS = ('stacks', 'all')

NESTED_DEPTH = 5

# Heat itself has the same text for a mark and a reset.
MARKED, RESET = 'Marked as unhealthy', 'Reset to healthy'

# The maximum number of locks that Heat lists in one response.
PAGE = 1000

# Any current lock, or no lock.
ANY = object()

# If Heat knows locks, each stack has this field, locked or not.
LOCK_LEVEL = 'lock_level'
# The status of its lock, and the reason of the status.
STATUS, REASON = 'lock_status', 'lock_status_reason'


class InvalidAnswer(exc.BaseException):
    """A successful response that is not from the API of Heat.

    For example, some proxies redirect to a login page.
    """

    def __init__(self, answer):
        super().__init__(
            f'The answer is not from the API of Heat: {answer}. A proxy might '
            'have answered in place of Heat: check the endpoint of the '
            'service type "orchestration", and the proxy')


class EmptyName(exc.BaseException):
    """The name of a stack or resource is an empty text.

    Heat would answer as for a path that does not exist.
    """

    def __init__(self, kind):
        super().__init__(f'{kind} "" is not valid: expected a name or an ID')


def parse_response(response):
    """Return the body of a response.

    :param response: a response of requests with a status below 400
    :raises InvalidAnswer: if the response is not from Heat
    """
    kind = response.headers.get('content-type') or 'no content type'
    if response.status_code != 200 or 'application/json' not in kind:
        raise InvalidAnswer(f'HTTP {response.status_code} ({kind}), expected '
                            'HTTP 200 (application/json)')
    return utils.get_response_body(response)


class LockManager(stacks.StackChildManager):
    """Send the lock actions of heat-extras with an existing heat client.

    ::

        client = heatclient.client.Client('1', session=session)
        LockManager(client).lock('web', level='stacks', reason='db move')

    Errors are exceptions of heatclient (``heatclient.exc``).
    """

    def __init__(self, heat_client):
        """Use the connection of *heat_client*, a heatclient.v1 Client."""
        super().__init__(heat_client.actions.client)

    def resolve(self, stack):
        """Find the full identity of a stack.

        :param stack: name, ID, or name and ID with a slash between
        :returns: name and ID with a slash between
        """
        if not stack:
            raise EmptyName('stack')
        if '/' not in stack:
            # heatclient does not escape the name in the path, so that
            # 'web?x' would find the stack web.
            stack = parse.quote(stack)
        try:
            return self._resolve_stack_id(stack)
        except (exc.InvalidEndpoint, IndexError) as error:
            # There is no redirect, or it is not to a stack.
            raise InvalidAnswer(
                'expected a redirect to the URL of the stack') from error

    def lock(self, stack, level=None, reason=None, dry_run=False,
             lock_id=ANY, expires_at=None, replace=False):
        """Lock a stack with all its nested stacks.

        If the stack is already locked, the lock keeps its level, reason or
        expiration if the argument is None.

        :param stack: name or ID of a root stack
        :param level: 'stacks' does not protect the physical resources. 'all'
                      also protects the resources whose service has a lock.
                      None locks an unlocked stack with level 'all'
        :param reason: text for users whose requests are rejected
        :param dry_run: only list the resources that would be protected
        :param lock_id: change only the lock with this ID. None locks only a
                        stack that is not locked
        :param expires_at: expiration time, as a datetime with a zone or a
                           text like '2026-12-24T18:00:00Z'
        :param replace: replace all of a lock, also if another user has set
                        it
        :returns: the body of the response: ``{'lock': {'id': ...,
                  'previous_id': ...}}``, or for a dry run ``{'lock':
                  {'level': ..., 'resources': [...]}}``
        """
        fields = _given(level=level, reason=reason, dry_run=dry_run,
                        replace=replace,
                        expires_at=options.format_time(expires_at))
        if lock_id is not ANY:
            fields['id'] = lock_id
        return self._post_action(stack, {'lock': fields})

    def unlock(self, stack, lock_id=None, ignore_failures=False):
        """Unlock a stack and all its nested stacks.

        :param stack: name or ID of a root stack
        :param lock_id: remove only the lock with this ID
        :param ignore_failures: unlock the stack even if the services of
                                some resources do not release them
        :returns: the body of the response, None
        """
        fields = _given(id=lock_id, ignore_failures=ignore_failures)
        return self._post_action(stack, {'unlock': fields or None})

    def extend_lock(self, stack, expires_at, lock_id=None):
        """Change the expiration of a stack's lock, which keeps its ID.

        :param stack: name or ID of a root stack
        :param expires_at: as for :meth:`lock`. None removes the expiration
        :param lock_id: change only the lock with this ID
        :returns: the body of the response, None
        """
        return self._post_action(stack, {'extend_lock': {
            'expires_at': options.format_time(expires_at),
            **_given(id=lock_id)}})

    def grant_pass(self, stack, user, expires_at, reason=None):
        """Grant a lock pass: one update of a locked stack by one user.

        :param stack: name or ID of a root stack
        :param user: ``{'id': ...}``, or ``{'name': ..., 'domain': ...}``
        :param expires_at: time until which the pass can be used, as for
                           :meth:`lock`, at most a day ahead
        :param reason: text for users who display the stack
        :returns: the body of the response, None
        """
        return self._post_action(stack, {'lock_pass': {
            'user': user, 'expires_at': options.format_time(expires_at),
            **_given(reason=reason)}})

    def revoke_pass(self, stack):
        """Revoke the lock pass of a stack.

        :param stack: name or ID of a root stack
        """
        return self._post_action(stack, {'lock_pass': None})

    def list_locks(self, level=None, all_projects=False, limit=None,
                   marker=None, expires_before=None):
        """List the locks of root stacks, ordered by ID, page after page.

        :param level: list only locks of this level
        :param all_projects: also list the locks of other projects
        :param limit: maximum number of locks
        :param marker: list only locks after the lock with this ID
        :param expires_before: list only locks that expire before this time,
                               given as for :meth:`lock`
        :returns: an iterator of dicts
        """
        query = parse.urlencode(_given(
            level=level, marker=marker, limit=limit and min(limit, PAGE),
            expires_before=options.format_time(expires_before),
            all_projects='true' if all_projects else None))
        # islice does not accept a larger number.
        return itertools.islice(self._pages(query),
                                limit and min(limit, sys.maxsize))

    def list_freezes(self):
        """List the freezes of the project that are active or will begin.

        :returns: a list of dicts
        """
        return parse_response(self.client.get('/freezes'))['freezes']

    def protect(self, stack, reason=None, replace=False, resources=False):
        """Protect a stack with all its nested stacks from deletion.

        :param stack: name or ID of a root stack
        :param reason: text for users who want to delete it. If the stack is
                       already protected, None keeps the reason
        :param replace: replace the protection, even of another user
        :param resources: also reject updates that replace or remove resources
        """
        fields = _given(reason=reason, replace=replace, resources=resources)
        return self._post_action(stack, {'protect': fields or None})

    def unprotect(self, stack):
        """Remove the delete protection of a stack.

        :param stack: name or ID of a root stack
        """
        return self._post_action(stack, {'unprotect': None})

    def _pages(self, query):
        while query is not None:
            page = parse_response(self.client.get(
                f'/locks?{query}' if query else '/locks'))
            yield from page['locks']
            query = _next_query(page)

    def _post_action(self, stack, body):
        # Heat also redirects the POST from a name to the full identity, but
        # the two HTTP clients of heatclient follow this redirect differently.
        # Both find the identity in the same way.
        path = f'/stacks/{self.resolve(stack)}/actions'
        return parse_response(self.client.post(path, data=body))


class GuardManager(LockManager):
    """List guards with an existing heat client."""

    def list(self, stack, nested=False, blocking=None, at=None):
        """List the guards of a stack.

        :param stack: name or ID
        :param nested: also list the guards of its nested stacks
        :param blocking: list only guards that stop this action
        :param at: list the guards at this time, like ``2026-12-24T18:00:00Z``
        :returns: a list of dicts
        """
        query = parse.urlencode({'nested': 'true' if nested else 'false',
                                 **_given(blocking=blocking, at=at)})
        path = f'/stacks/{self.resolve(stack)}/guards?{query}'
        return parse_response(self.client.get(path))['guards']


class PlanManager(LockManager):
    """Make plans of deletions with an existing heat client."""

    def preview_delete(self, stack):
        """Return the plan of the deletion of a stack.

        :param stack: name or ID
        :returns: a dict with the lists ``plan`` and ``plan_stops``
        """
        path = f'/stacks/{self.resolve(stack)}/delete_preview'
        return parse_response(self.client.get(path))


class HealthManager(LockManager):
    """Mark unhealthy resources, with the additions of heat-extras.

    heatclient's own ``resources.mark_unhealthy`` also works, but it cannot
    send ``force`` and does not return the warnings.
    """

    def mark(self, stack, resource, unhealthy=True, reason='', force=False):
        """Mark a resource as unhealthy, or reset it.

        :param stack: name and ID with a slash between
        :param resource: name or physical ID
        :param reason: text shown with the status of the resource, by default
                       :data:`MARKED` or :data:`RESET`
        :param force: exceed the limit of unhealthy resources
        :returns: a list of warnings: what will prevent a replacement
        """
        if not resource:
            raise EmptyName('resource')
        reason = reason or (MARKED if unhealthy else RESET)
        path = f'/stacks/{stack}/resources/{parse.quote(resource, safe="")}'
        answer = parse_response(self.client.patch(
            path + ('?force=true' if force else ''),
            data={'mark_unhealthy': unhealthy,
                  'resource_status_reason': reason}))
        return (answer or {}).get('mark_unhealthy', {}).get('warnings', [])


def _given(**fields):
    """Return the fields that are neither None nor false."""
    return {name: value for name, value in fields.items()
            if value is not None and value is not False}


def find_by_physical_id(resources, physical_id):
    """Find the resource with a physical ID in a list.

    :returns: the resource, or None if no resource or several have the ID
    """
    matching = [each for each in resources
                if each.physical_resource_id == physical_id]
    return matching[0] if len(matching) == 1 else None


def stack_of(resource):
    """Return the stack of a listed resource.

    :returns: name and ID with a slash between
    """
    href, = [link['href'] for link in resource.links
             if link['rel'] == 'stack']
    return '/'.join(href.rstrip('/').split('/')[-2:])


def _next_query(page):
    """Return the query of the next page, or None."""
    for link in page.get('links', ()):
        if link['rel'] == 'next':
            # The client might not reach the host of the link.
            return parse.urlsplit(link['href']).query
    return None
