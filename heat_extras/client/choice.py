# SPDX-License-Identifier: Apache-2.0

"""The stacks that a command is about: by their names, or by their tags."""

import typing
from urllib import parse

from heatclient import exc


class NoChoice(exc.BaseException):
    """There is no stack to do anything with."""


class Choice(typing.NamedTuple):
    """A stack that was named, or found.

    :ivar name: as it was typed, or as the server shows it.
    :ivar identity: name and ID with a slash between; None if it is still to
        be looked up.
    """

    name: str
    identity: str | None = None


def make(heat_client, arguments):
    """List the stacks that somebody wants something done with.

    :param arguments: those of the command line, with ``stack`` and ``tag``,
        and with ``usage_error``, which ends the program
    :returns: a list of :class:`Choice`
    :raises NoChoice: when there is none
    """
    if not (arguments.stack or arguments.tag):
        arguments.usage_error('no stack was named: give the name or ID of '
                              'each <stack>, or --tag <tag>')
    if isinstance(getattr(arguments, 'lock_id', None), str) and (
            arguments.tag or len(arguments.stack) > 1):
        raise NoChoice('found --lock-id with several stacks, or a tag, '
                       'wanted one stack: a lock is of one')
    if not arguments.tag:
        return [Choice(name) for name in arguments.stack]
    tags = ','.join(arguments.tag)
    if not all(each.strip() for each in tags.split(',')):
        # Without one, Heat would list all stacks that there are.
        raise NoChoice(f'found {tags!r} in --tag, wanted tags that are not '
                       'empty')
    found = _tagged(heat_client, tags)
    if not found:
        raise NoChoice(
            f'found no stack with the tag {tags} in this project, wanted at '
            'least one; look with "openstack stack list --hidden --tags '
            f'{tags}"')
    return found


def _tagged(heat_client, tags):
    own = _project(heat_client)
    # Who names a tag means each stack that has it. An administrator is shown
    # those of all projects (heat.db.api._query_stack_get_all), and meant none
    # of the others.
    listed = [stack.to_dict() for stack in heat_client.stacks.list(
        tags=tags, show_hidden=True)]
    return [Choice(each['stack_name'], f'{each["stack_name"]}/{each["id"]}')
            for each in listed if each.get('project', own) == own]


def _project(heat_client):
    """Return the project that the requests are about."""
    # heatclient has two: an adapter of keystoneauth, and one of its own.
    connection = heat_client.http_client
    endpoint = getattr(connection, 'endpoint', None)
    path = parse.urlsplit(endpoint or connection.get_endpoint()).path
    return parse.unquote(path.rstrip('/').rpartition('/')[2])
