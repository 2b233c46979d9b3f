# SPDX-License-Identifier: Apache-2.0

"""Passes through locks: how they are asked for, and shown."""

from heat_extras.client import duration

USER = '--user', {
    'metavar': '<user>',
    'help': 'For whom it is: the ID of a user, or with --user-domain a name; '
            'nobody looks for the user'}
DOMAIN = '--user-domain', {
    'metavar': '<domain>',
    'help': 'The domain of the user (name or ID)'}
AT = duration.AT[0], {
    **duration.AT[1],
    'help': 'Until when it can be used, at most a day ahead, with its time '
            'zone: 2026-12-24T18:00:00Z'}
FOR = duration.FOR[0], {
    **duration.FOR[1],
    'help': 'How long it can be used, at most a day, like 30m or 2h; an '
            'update that has begun by then goes on'}


def user(name, domain=None):
    """Name a user as Heat reads it.

    :param name: with a domain, else an id
    """
    return {'id': name} if domain is None else {'name': name,
                                                'domain': domain}


def flat(found):
    """Return what a table shows of a pass, by the names of its columns.

    :param found: what Heat tells of it; None: there is none
    """
    found = found or {}
    return {'pass_user': _named(found.get('user') or {}),
            'pass_expires_at': found.get('expires_at'),
            'pass_used_at': found.get('used_at')}


def _named(found):
    if 'name' in found:
        return f'{found["name"]} (domain {found.get("domain")})'
    return found.get('id')
