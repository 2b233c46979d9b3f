# SPDX-License-Identifier: Apache-2.0

"""Worked examples, for the end of each command's help.

Pure: nothing of Heat is imported.
"""

import argparse
from collections import abc
import shutil
import textwrap
import typing


class Example(typing.NamedTuple):
    """A command as it is typed, and what for."""

    purpose: str
    command: str


def _pairs(*texts: str) -> tuple[Example, ...]:
    return tuple(map(Example, texts[::2], texts[1::2]))


#: By command. Each can be typed as it stands, with names of one's own.
EXAMPLES: abc.Mapping[str, tuple[Example, ...]] = {
    'openstack stack lock': _pairs(
        'Lock a stack, and what is nested in it, until the work is done:',
        "openstack stack lock --wait --reason 'CHG-1042: db move' web",
        'See first which of its resources would be protected:',
        'openstack stack lock --dry-run web',
        'For two hours, after which the lock expires:',
        'openstack stack lock --wait --for 2h web'),
    'openstack stack lock set': _pairs(
        'The work takes longer:',
        'openstack stack lock set --for 3h web',
        'Keep the lock until somebody unlocks the stack:',
        'openstack stack lock set --no-expiry web'),
    'openstack stack lock pass grant': _pairs(
        'Let a pipeline update a locked stack once, within two hours:',
        'openstack stack lock pass grant --user 0bd8 --for 2h mail'),
    'openstack stack lock pass revoke': _pairs(
        'It is not needed any more:',
        'openstack stack lock pass revoke mail'),
    'openstack stack lock list': _pairs(
        'Who locked what, and why?',
        'openstack stack lock list',
        'The IDs of all locks of the cloud, for a program:',
        'openstack stack lock list --all-projects -f value -c ID'),
    'openstack stack unlock': _pairs(
        'Lift the lock of a stack, and wait until it is done:',
        'openstack stack unlock --wait web',
        'Lift those of all stacks of the project with a tag:',
        'openstack stack unlock --tag env=prod'),
    'openstack stack protect': _pairs(
        'Let nobody delete two stacks, and say why:',
        "openstack stack protect --reason 'the only copy' web mail",
        'All stacks of the project with a tag:',
        'openstack stack protect --tag env=prod'),
    'openstack stack unprotect': _pairs(
        'Let a stack be deleted again:',
        'openstack stack unprotect web',
        'All stacks of the project with a tag:',
        'openstack stack unprotect --tag env=prod'),
    'openstack stack resource unhealthy': _pairs(
        'Let the next update replace two broken resources:',
        "openstack stack resource unhealthy --reason 'bad disk' web db cache",
        'Take it back:',
        'openstack stack resource unhealthy --reset web db cache'),
    'openstack stack guard list': _pairs(
        'What protects this stack, and all that is nested in it?',
        'openstack stack guard list --nested web',
        'What keeps it from being deleted, for a program to read?',
        'openstack stack guard list --blocking delete -f json web',
        'What will be frozen then?',
        'openstack stack guard list --at 2026-12-24T18:00:00Z web'),
    'heat-extras action-lock': _pairs(
        'Lock a stack and say why:',
        "heat-extras action-lock --reason 'CHG-1042: db move' web",
        'For two hours, after which the lock expires:',
        'heat-extras action-lock --for 2h web',
        'Lock the stack, and leave its servers and images free:',
        'heat-extras action-lock --level stacks web'),
    'heat-extras action-extend-lock': _pairs(
        'The work takes longer:',
        'heat-extras action-extend-lock --for 3h web'),
    'heat-extras action-lock-pass': _pairs(
        'Let a pipeline update a locked stack once, within two hours:',
        'heat-extras action-lock-pass --user 0bd8 --for 2h web'),
    'heat-extras action-revoke-lock-pass': _pairs(
        'It is not needed any more:',
        'heat-extras action-revoke-lock-pass web'),
    'heat-extras lock-list': _pairs(
        'Who locked what, and why?',
        'heat-extras lock-list'),
    'heat-extras action-unlock': _pairs(
        'Lift the lock of a stack:',
        'heat-extras action-unlock web'),
    'heat-extras action-protect': _pairs(
        'Let nobody delete a stack, and say why:',
        "heat-extras action-protect --reason 'the only copy' web"),
    'heat-extras action-unprotect': _pairs(
        'Let a stack be deleted again:',
        'heat-extras action-unprotect web'),
    'heat-extras-manage db_sync': _pairs(
        "After Heat's own heat-manage db_sync:",
        'heat-extras-manage db_sync'),
    'heat-extras-manage db_version': _pairs(
        'Which revision is the database at?',
        'heat-extras-manage db_version'),
    'heat-extras-manage db_downgrade': _pairs(
        'See what would go, and what is in the way:',
        'heat-extras-manage db_downgrade --dry-run',
        'Remove it, with all locks that are left:',
        'heat-extras-manage db_downgrade --unlock-all'),
    'heat-extras-manage rewrite-templates': _pairs(
        'See which stored templates have words of heat-extras:',
        'heat-extras-manage rewrite-templates --dry-run',
        'Take the words out, before heat-extras is uninstalled:',
        'heat-extras-manage rewrite-templates'),
    'heat-extras-manage list-locks': _pairs(
        'Who locked what, and why, in a project?',
        'heat-extras-manage list-locks --project 4fd44f30292945e481c7b8a0',
        'Do the services still protect what the locks want protected?',
        'heat-extras-manage list-locks --verify'),
    'heat-extras-manage list-protected': _pairs(
        'Who keeps which stack from being deleted, and why?',
        'heat-extras-manage list-protected'),
    'heat-extras-manage list-refusals': _pairs(
        'What was stopped, for a spreadsheet:',
        'heat-extras-manage list-refusals -f csv > refusals.csv'),
    'heat-extras-manage metrics': _pairs(
        "Write the node exporter's text file, as a timer does:",
        'heat-extras-manage metrics > heat_extras.prom'),
    'heat-extras-manage reset-lock': _pairs(
        'Free a lock that no engine works on any more:',
        'heat-extras-manage reset-lock 7d2f7a2c-6a5c-4b0e-9f6c-3c1d8e0f2b7a'),
    'heat-extras-manage unlock': _pairs(
        'See what the lock protects in other services:',
        'heat-extras-manage unlock --dry-run web',
        'Lift it as an administrator of clouds.yaml:',
        'heat-extras-manage unlock --os-cloud admin web'),
    'heat-extras-manage purge': _pairs(
        'Once a week, after heat-manage purge_deleted:',
        'heat-extras-manage purge'),
    'heat-extras-manage paste': _pairs(
        'Do all requests pass heat-extras?',
        'heat-extras-manage paste',
        'Would they, with this file?',
        'heat-extras-manage paste --file /etc/heat/api-paste.ini'),
    'heat-extras-manage plugins': _pairs(
        'Which plugins are called before an action, and in which order?',
        'heat-extras-manage plugins',
        'Does each of them load? All columns, for a program to read:',
        'heat-extras-manage plugins -f json'),
    'heat-extras-status upgrade': _pairs(
        'Inside a new image, before it is rolled out:',
        'heat-extras-status upgrade check --no-db',
        'On a host of the cloud, before and after the restart:',
        'heat-extras-status upgrade check'),
    'heat-extras-sandbox serve': _pairs(
        'A Heat to play with, that keeps its stacks:',
        'heat-extras-sandbox serve --state-dir ~/heat',
        'A Heat without heat-extras, to compare with:',
        "heat-extras-sandbox serve --port 8005 --features ''"),
    'heat-extras-sandbox demo': _pairs(
        'See all features:',
        'heat-extras-sandbox demo',
        'See two of them, one step at a time:',
        'heat-extras-sandbox demo --only lock,health --pause'),
}


def add(parser: argparse.ArgumentParser, command: str) -> None:
    """End the help of a command with its examples.

    :param parser: that of the command. Its description keeps its paragraphs,
        which argparse would run into one.
    :param command: a key of :data:`EXAMPLES`.
    """
    parser.formatter_class = _keeping_lines(parser.formatter_class)
    parser.description = _filled(parser.description or '')
    parser.epilog = '\n\n'.join(filter(None, (
        parser.epilog, _written(EXAMPLES[command]))))


def _keeping_lines(formatter: typing.Any) -> typing.Any:
    if issubclass(formatter, argparse.RawDescriptionHelpFormatter):
        return formatter
    return type('HelpFormatter',
                (argparse.RawDescriptionHelpFormatter, formatter), {})


def _filled(text: str) -> str:
    # As wide as argparse makes what it wraps by itself.
    width = shutil.get_terminal_size().columns - 2
    return '\n\n'.join(textwrap.fill(' '.join(each.split()), width)
                       for each in text.split('\n\n'))


def _written(examples: abc.Iterable[Example]) -> str:
    return '\n\n'.join(['Examples:', *(
        f'  {example.purpose}\n    {example.command}'
        for example in examples)])
