# SPDX-License-Identifier: Apache-2.0

"""The list of locks, as both clients ask for it."""

import argparse

from heat_extras.client import locks
from heat_extras.client import messages
from heat_extras.client import passes


def add_arguments(parser):
    """Let a command say which locks it is about."""
    parser.add_argument('--level', choices=locks.LEVELS,
                        help='Only those of this level')
    parser.add_argument(
        '--expires-before', metavar='<time>',
        help='Only those that expire before this time, with its time zone: '
             '2026-12-24T18:00:00Z')
    parser.add_argument('--all-projects', action='store_true',
                        help='Those of all projects (for administrators)')
    parser.add_argument('--limit', metavar='<number>', type=_number,
                        help='Maximum number of locks to list')
    parser.add_argument('--marker', metavar='<id>',
                        help='Only those after the lock with this ID')


def read(heat_client, arguments):
    """List locks.

    :returns: a list of dicts
    """
    found = locks.LockManager(heat_client).list_locks(
        arguments.level, arguments.all_projects, arguments.limit,
        arguments.marker, arguments.expires_before)
    return [{**each, **passes.flat(each.get('pass'))} for each in found]


def describe(error):
    """Say in one line why the list could not be read."""
    return messages.describe(error, messages.MISSING_LIST,
                             messages.UNSURE_LIST)


def _number(text):
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(
            f'found {text!r}, wanted a whole number from 1')
    return int(text)
