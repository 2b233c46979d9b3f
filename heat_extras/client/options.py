# SPDX-License-Identifier: Apache-2.0

"""Options that both clients have: the expiration of a lock, and lock passes.

A time is sent to the server as it was typed.
"""

import argparse
import datetime
import re

_UNITS = {'d': 'days', 'h': 'hours', 'm': 'minutes', 's': 'seconds'}
# int() refuses numbers of thousands of digits, in words of its own.
_WRITTEN = re.compile(
    ''.join(rf'(?:(?P<{name}>\d{{1,9}}){unit})?'
            for unit, name in _UNITS.items()), re.ASCII)

AT = '--expires-at', {
    'metavar': '<time>', 'dest': 'expires_at',
    'help': 'Expiration time, at which Heat unlocks the stack, with its time '
            'zone: 2026-12-24T18:00:00Z, or 2026-12-24T19:00:00+01:00'}


def _after(text):
    try:
        return expiration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


FOR = '--for', {
    'metavar': '<duration>', 'dest': 'expires_at', 'type': _after,
    'help': 'Duration until the expiration, for example 30m, 2h, 3d or '
            '1d12h, from now by the clock of this host'}

NEVER = '--no-expiry', {
    'action': 'store_const', 'dest': 'expires_at', 'const': None,
    'help': 'Remove the expiration: the lock stays until somebody unlocks '
            'the stack'}

PASS_USER = '--user', {
    'metavar': '<user>',
    'help': 'User of the lock pass: an ID, or with --user-domain a name. '
            'Heat does not check that the user exists'}
PASS_DOMAIN = '--user-domain', {
    'metavar': '<domain>',
    'help': 'Domain of the user (name or ID)'}
PASS_AT = AT[0], {
    **AT[1],
    'help': 'Time until which the lock pass can be used, at most a day '
            'ahead, with its time zone: 2026-12-24T18:00:00Z'}
PASS_FOR = FOR[0], {
    **FOR[1],
    'help': 'Duration for which the lock pass can be used, at most a day, '
            'for example 30m or 2h. An update that has started continues'}


def expiration(text):
    """Return the time after a duration from now.

    :param text: days, hours, minutes and seconds, like ``1d12h``
    :returns: as Heat reads it, like ``2026-12-24T18:00:00Z``
    :raises ValueError: if the text is not a duration
    """
    try:
        return written(_rounded_up(_now() + _read(text)))
    except OverflowError as error:
        raise _no_duration(text) from error


def written(moment):
    """Write a moment as Heat reads it.

    :param moment: a datetime with a zone; what is none is left as it is
    """
    if not isinstance(moment, datetime.datetime):
        return moment
    return moment.isoformat().replace('+00:00', 'Z')


def pass_user(name, domain=None):
    """Name a user as Heat reads it.

    :param name: with a domain, else an id
    """
    return {'id': name} if domain is None else {'name': name,
                                                'domain': domain}


def pass_columns(found):
    """Return what a table shows of a pass, by the names of its columns.

    :param found: the pass as Heat reports it, or None
    """
    found = found or {}
    return {'pass_user': _user_text(found.get('user') or {}),
            'pass_expires_at': found.get('expires_at'),
            'pass_used_at': found.get('used_at')}


def _read(text):
    match = _WRITTEN.fullmatch(text)
    found = {name: int(number) for name, number
             in (match.groupdict() if match else {}).items() if number}
    if not any(found.values()):
        raise _no_duration(text)
    return datetime.timedelta(**found)


def _no_duration(text):
    return ValueError(f'{text!r} is not valid: expected days, hours, minutes '
                      'or seconds, like 30m, 2h, 3d or 1d12h')


def _rounded_up(moment):
    whole = moment.replace(microsecond=0)
    return whole if whole == moment else whole + datetime.timedelta(seconds=1)


def _now():
    return datetime.datetime.now(datetime.timezone.utc)


def _user_text(found):
    if 'name' in found:
        return f'{found["name"]} (domain {found.get("domain")})'
    return found.get('id')
