# SPDX-License-Identifier: Apache-2.0

"""Options of both clients for expiration times and lock passes.

The clients send a time to the server without a change.
"""

import argparse
import datetime

from heat_extras import timestamps

AT = '--expires-at', {
    'metavar': '<time>', 'dest': 'expires_at',
    'help': 'Time at which the lock expires and Heat unlocks the stack, with '
            'its time zone: 2026-12-24T18:00:00Z, or '
            '2026-12-24T19:00:00+01:00'}


def _expiration_argument(text):
    try:
        return expiration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


FOR = '--for', {
    'metavar': '<duration>', 'dest': 'expires_at',
    'type': _expiration_argument,
    'help': 'Time from now until the lock expires and Heat unlocks the stack, '
            'by the clock of this host: 30m, 2h, 3d or 1d12h'}

NEVER = '--no-expiry', {
    'action': 'store_const', 'dest': 'expires_at', 'const': None,
    'help': 'Remove the expiration: the lock stays until somebody unlocks '
            'the stack'}

PASS_USER = '--user', {
    'metavar': '<user>',
    'help': 'User of the lock pass: the ID, or the name if you also give '
            '--user-domain. "openstack" also accepts a name alone, if '
            'Keystone lets you look up users. Heat does not check that the '
            'user exists'}
PASS_DOMAIN = '--user-domain', {
    'metavar': '<domain>',
    'help': 'Domain of the user (name or ID), if --user is a name'}
PASS_AT = AT[0], {
    **AT[1],
    'help': 'Time until which the lock pass can be used, with its time zone: '
            '2026-12-24T18:00:00Z. It must be at most a day ahead'}
PASS_FOR = FOR[0], {
    **FOR[1],
    'help': 'Time from now during which the lock pass can be used: 30m or 2h, '
            'at most a day. An update that starts in this time can end later'}


def expiration(text):
    """Return the time after a duration from now.

    :param text: days, hours, minutes and seconds, like ``1d12h``
    :returns: a time in the format of Heat, like ``2026-12-24T18:00:00Z``
    :raises ValueError: if the text is not a duration
    """
    now = _now()
    latest = datetime.datetime.max.replace(tzinfo=now.tzinfo)
    return format_time(_round_up(now + timestamps.parse_duration(
        text, most=latest - now - datetime.timedelta(seconds=1))))


def format_time(time):
    """Format a time for a request to Heat.

    :param time: a datetime with a zone. Other values are returned unchanged
    """
    if not isinstance(time, datetime.datetime):
        return time
    return time.isoformat().replace('+00:00', 'Z')


def pass_user(name, domain=None):
    """Return a user as in a request to Heat.

    :param name: a name if a domain is given, otherwise an ID
    """
    return {'id': name} if domain is None else {'name': name,
                                                'domain': domain}


def pass_columns(lock_pass):
    """Return the values of a lock pass, by the names of a table's columns.

    :param lock_pass: the lock pass in Heat's response, or None
    """
    lock_pass = lock_pass or {}
    return {'pass_user': _user_text(lock_pass.get('user') or {}),
            'pass_expires_at': lock_pass.get('expires_at'),
            'pass_used_at': lock_pass.get('used_at'),
            'pass_reason': lock_pass.get('reason')}


def _round_up(time):
    whole = time.replace(microsecond=0)
    return whole if whole == time else whole + datetime.timedelta(seconds=1)


def _now():
    return datetime.datetime.now(datetime.timezone.utc)


def _user_text(user):
    if 'name' in user:
        return f'{user["name"]} (domain {user.get("domain")})'
    return user.get('id')
