# SPDX-License-Identifier: Apache-2.0

"""Sections of the page of services: what rings, and other people's tests."""

import collections

import made_page
import service_words

_SAID = 200


def acts(entries):
    """Yield a section for each who acts and waits for nothing."""
    for consumer in sorted({entry['consumer'] for entry in entries}):
        words = service_words.ABOUT[consumer]
        found = [entry for entry in entries if entry['consumer'] == consumer]
        yield '\n'.join([
            made_page.title(words.title),
            made_page.paragraph(f'*Run*: {_releases(found)}.'),
            made_page.paragraph(f'*In short*: {words.short}'),
            *([made_page.paragraph(f'*Pause first*: {words.pause}')]
              if words.pause else ()),
            _acts_table(found), made_page.paragraph(words.more)])


def _releases(entries):
    """Return what ran, on which Heat."""
    by_release = collections.defaultdict(set)
    for entry in entries:
        by_release[entry['release']].add(entry['heat'])
    return '; '.join(f'{release}, on Heat {" and ".join(sorted(heats))}'
                     for release, heats in sorted(by_release.items()))


def _acts_table(entries):
    names = [name for name in service_words.COLUMNS
             if any(name in entry for entry in entries)]
    return made_page.table(
        ['What was asked for', 'Heat',
         *(service_words.COLUMNS[name] for name in names)],
        [[entry['asked'], heats,
          *(_SHOWN[name](entry[name]) if entry.get(name) else ''
            for name in names)] for entry, heats in _alike(entries)])


def _alike(entries):
    """List acts, the newest of those that came to the same, and their Heats.

    What was read differs in names.
    """
    groups = collections.defaultdict(list)
    for entry in entries:
        groups[entry['asked'], entry['came'], entry.get('tries'),
               _number_of(entry.get('rows', {}))].append(entry)
    return [(group[-1], ' and '.join(entry['heat'] for entry in group))
            for _, group in sorted(groups.items())]


def _number_of(rows):
    """Return how many rows there are of each kind."""
    return ', '.join(
        f'{count} {service_words.TABLES[name]}{"s" if count > 1 else ""}'
        for name, count in rows.items())


# How the columns show what was kept.
_SHOWN = {'came': str, 'tries': str, 'rows': _number_of,
          'read': lambda said: made_page.literal(said, _SAID)}


def tests(entries):
    """Return the section on tests of other people."""
    order = list(service_words.OF_SUITES)
    found = sorted(entries, key=lambda each: order.index(each['suite']))
    return '\n'.join([
        made_page.title('Tests of those who use Heat'),
        service_words.SUITES.rstrip() + '\n',
        *([made_page.table(
            ['Tests', 'Where', 'Passed', 'Skipped', 'Failed', 'Locks'],
            [row for entry in found for row in _rows(entry)])]
          if found else ()),
        *(paragraph for entry in found for paragraph in _failures(entry))])


def _rows(entry):
    """Yield a row for each run of a suite."""
    title = (f'{service_words.OF_SUITES[entry["suite"]]}: '
             f'{entry["release"]}, Heat {entry["heat"]}')
    for where, each in entry['played'].items():
        yield [title, where, *(str(each['totals'].get(name, 0)) for name in (
            'passed', 'skipped', 'failed')), _locks(each['others'])]
        title = ''


def _locks(others):
    """Return how often somebody else locked, and was refused."""
    if not others:
        return ''
    return (f'{others.get("lock 200", 0)}, and '
            f'{others.get("lock 409", 0)} refused')


def _plain(said):
    """Return what a command wrote, as tests show it: b'...'."""
    return (said[2:].rstrip("'").removesuffix('\\n')
            if said.startswith("b'") else said)


def _failures(entry):
    """Yield a list of what failed in a suite, and what it was told."""
    told = collections.defaultdict(dict)
    for where, each in entry['played'].items():
        for test, said in each['failed'].items():
            told[test.rpartition('.')[2]][where] = _plain(said)
    if told:
        yield made_page.paragraph(
            f'What failed of {service_words.OF_SUITES[entry["suite"]]}, and '
            'the last that it was told:')
        yield made_page.table(
            ['Test', 'Where', 'What it was told'],
            [[test, ', '.join(found), made_page.literal(
                list(found.values())[-1], _SAID)]
             for test, found in sorted(told.items())])
