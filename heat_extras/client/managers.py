# SPDX-License-Identifier: Apache-2.0

"""Speak the calls of heat-extras through a client of python-heatclient."""

import itertools
import sys
from urllib import parse

from heatclient.common import utils
from heatclient import exc
from heatclient.v1 import stacks

from heat_extras.client import options

LEVELS = ('stacks', 'all')

NESTED_DEPTH = 5

# Heat has one text for a mark and a reset.
MARKED, RESET = 'Marked as unhealthy', 'Reset to healthy'

# The most locks that Heat lists in one answer.
PAGE = 1000

# The current lock, whichever it is, or none.
ANY = object()

# What a stack carries, locked or not, where Heat knows locks.
WITNESS = 'lock_level'
# How far its lock is, and why.
STATUS, REASON = 'lock_status', 'lock_status_reason'


class InvalidAnswer(exc.BaseException):
    """The server that answered with success is not the API of Heat.

    A login page, for example, which is where some proxies send people.
    """

    def __init__(self, found):
        super().__init__(
            f'The answer is not valid: {found}, expected JSON of Heat. A '
            'proxy might have answered in place of Heat: check the endpoint '
            'of the service orchestration, and the proxy')


def body_of(response):
    """Read an answer.

    :param response: one of requests', of a status below 400
    :raises InvalidAnswer: when it is none of Heat's
    """
    kind = response.headers.get('content-type') or 'no content type'
    if response.status_code != 200 or 'application/json' not in kind:
        raise InvalidAnswer(f'HTTP {response.status_code} ({kind})')
    return utils.get_response_body(response)


class LockManager(stacks.StackChildManager):
    """Speak the lock actions of heat-extras with an existing heat client.

    ::

        client = heatclient.client.Client('1', session=session)
        LockManager(client).lock('web', level='stacks', reason='db move')

    Errors are those of heatclient (``heatclient.exc``), untouched.
    """

    def __init__(self, heat_client):
        """Use the connection of *heat_client*, a heatclient.v1 Client."""
        super().__init__(heat_client.actions.client)

    def resolve(self, stack):
        """Look up the full identity of a stack.

        :param stack: name, ID, or name and ID with a slash between
        :returns: name and ID with a slash between
        """
        if '/' not in stack:
            # heatclient puts the name into the path as it is, so that
            # 'web?x' would find the stack web.
            stack = parse.quote(stack)
        try:
            return self._resolve_stack_id(stack)
        except (exc.InvalidEndpoint, IndexError) as error:
            # A redirect to anywhere, or none.
            raise InvalidAnswer('no location of the stack') from error

    def lock(self, stack, level=None, reason=None, dry_run=False,
             lock_id=ANY, expires_at=None, replace=False):
        """Lock a stack with all its nested stacks.

        A lock that is there keeps its level, reason and expiration where
        these are None.

        :param stack: name or ID of a root stack
        :param level: 'stacks' leaves the physical resources free, 'all'
                      also protects those whose service has a lock; 'all'
                      where a stack that is not locked gets none
        :param reason: text for users whose requests are rejected
        :param dry_run: change nothing, only list what would be protected
        :param lock_id: change only the lock with this id; None: lock only a
                        stack that is not locked
        :param expires_at: when it expires: a datetime with a zone, or
                           like '2026-12-24T18:00:00Z'
        :param replace: replace all of a lock, also if another user has set
                        it
        :returns: the body of the answer: ``{'lock': {'id': ...,
                  'previous_id': ...}}``, or for a dry run ``{'lock':
                  {'level': ..., 'resources': [...]}}``
        """
        fields = {} if level is None else {'level': level}
        if reason is not None:
            fields['reason'] = reason
        if dry_run:
            fields['dry_run'] = True
        if replace:
            fields['replace'] = True
        if lock_id is not ANY:
            fields['id'] = lock_id
        if expires_at is not None:
            fields['expires_at'] = options.written(expires_at)
        return self._act(stack, {'lock': fields})

    def unlock(self, stack, lock_id=None, ignore_failures=False):
        """Unlock a stack and all its nested stacks.

        :param stack: name or ID of a root stack
        :param lock_id: only the lock with this id
        :param ignore_failures: unlock the stack also when the services of
                                some resources do not release them
        :returns: the body of the answer, None
        """
        fields = {} if lock_id is None else {'id': lock_id}
        if ignore_failures:
            fields['ignore_failures'] = True
        return self._act(stack, {'unlock': fields or None})

    def extend_lock(self, stack, expires_at, lock_id=None):
        """Change the expiration of the lock of a stack; the lock keeps its ID.

        :param stack: name or ID of a root stack
        :param expires_at: as for :meth:`lock`; None removes the expiration
        :param lock_id: only the lock with this id
        :returns: the body of the answer, None
        """
        fields = {'expires_at': options.written(expires_at)}
        if lock_id is not None:
            fields['id'] = lock_id
        return self._act(stack, {'extend_lock': fields})

    def grant_pass(self, stack, user, expires_at, reason=None):
        """Grant a lock pass: one update of a locked stack by one user.

        :param stack: name or ID of a root stack
        :param user: ``{'id': ...}``, or ``{'name': ..., 'domain': ...}``
        :param expires_at: until when it can be used, as for :meth:`lock`; at
                           most a day ahead
        :param reason: text for users who show the stack
        :returns: the body of the answer, None
        """
        fields = {'user': user, 'expires_at': options.written(expires_at)}
        if reason is not None:
            fields['reason'] = reason
        return self._act(stack, {'lock_pass': fields})

    def revoke_pass(self, stack):
        """Revoke the lock pass of a stack.

        :param stack: name or ID of a root stack
        """
        return self._act(stack, {'lock_pass': None})

    def list_locks(self, level=None, all_projects=False, limit=None,
                   marker=None, expires_before=None):
        """List the locks of root stacks, by their ids, page after page.

        :param level: only those of this level
        :param all_projects: those of other projects, too
        :param limit: so many at most
        :param marker: only those after the lock with this id
        :param expires_before: only those that expire before, as for
                               :meth:`lock`
        :returns: an iterator of dicts
        """
        asked = {'level': level, 'marker': marker,
                 'limit': limit and min(limit, PAGE),
                 'expires_before': options.written(expires_before),
                 'all_projects': 'true' if all_projects else None}
        query = parse.urlencode({name: value for name, value in asked.items()
                                 if value is not None})
        # islice takes no larger number, and there are not so many.
        return itertools.islice(self._pages(query),
                                limit and min(limit, sys.maxsize))

    def protect(self, stack, reason=None):
        """Protect a stack with all its nested stacks from deletion.

        :param stack: name or ID of a root stack
        :param reason: text for users who want to delete it
        """
        return self._act(stack, {
            'protect': None if reason is None else {'reason': reason}})

    def unprotect(self, stack):
        """Remove the delete protection of a stack.

        :param stack: name or ID of a root stack
        """
        return self._act(stack, {'unprotect': None})

    def _pages(self, query):
        while query is not None:
            page = body_of(self.client.get(
                f'/locks?{query}' if query else '/locks'))
            yield from page['locks']
            query = _next(page)

    def _act(self, stack, body):
        # Heat's redirect from a bare name to the full identity would do for
        # the POST too, but heatclient's two HTTP clients follow it in
        # different ways; the lookup is the same in both.
        path = f'/stacks/{self.resolve(stack)}/actions'
        return body_of(self.client.post(path, data=body))


class GuardManager(LockManager):
    """Speak the guards call of heat-extras with an existing heat client."""

    def list(self, stack, nested=False, blocking=None, at=None):
        """List the guards of a stack.

        :param stack: name or ID
        :param nested: those of its nested stacks, too
        :param blocking: only those that stop this action
        :param at: those of a moment like ``2026-12-24T18:00:00Z``
        :returns: a list of dicts
        """
        params = {'nested': 'true' if nested else 'false'}
        if blocking is not None:
            params['blocking'] = blocking
        if at is not None:
            params['at'] = at
        query = parse.urlencode(params)
        path = f'/stacks/{self.resolve(stack)}/guards?{query}'
        return body_of(self.client.get(path))['guards']


class HealthManager(LockManager):
    """Speak Heat's call for broken resources, with what heat-extras adds.

    heatclient's own ``resources.mark_unhealthy`` works, too; it cannot say
    force, and drops the warnings.
    """

    def mark(self, stack, resource, unhealthy=True, reason='', force=False):
        """Mark a resource as unhealthy, or reset it.

        :param stack: name and ID with a slash between
        :param resource: name or physical ID
        :param reason: shown with the status of the resource; by default
                       :data:`MARKED` or :data:`RESET`
        :param force: mark beyond the limit of unhealthy resources
        :returns: what will be in the way of a replacement, a list of texts
        """
        reason = reason or (MARKED if unhealthy else RESET)
        path = f'/stacks/{stack}/resources/{parse.quote(resource, safe="")}'
        answer = body_of(self.client.patch(
            path + ('?force=true' if force else ''),
            data={'mark_unhealthy': unhealthy,
                  'resource_status_reason': reason}))
        return (answer or {}).get('mark_unhealthy', {}).get('warnings', [])


def find(resources, physical_id):
    """Find the one among listed resources that has a physical ID.

    :returns: the resource, or None when none or several have it
    """
    found = [each for each in resources
             if each.physical_resource_id == physical_id]
    return found[0] if len(found) == 1 else None


def stack_of(resource):
    """Return the stack of a listed resource.

    :returns: name and ID with a slash between
    """
    href, = [link['href'] for link in resource.links
             if link['rel'] == 'stack']
    return '/'.join(href.rstrip('/').split('/')[-2:])


def _next(page):
    """Return the query for what comes after a page, or None."""
    for link in page.get('links', ()):
        if link['rel'] == 'next':
            # Its host may be one that is reached from the server only.
            return parse.urlsplit(link['href']).query
    return None
