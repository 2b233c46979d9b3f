# SPDX-License-Identifier: Apache-2.0

"""Read the operator's windows; an error names its line and its freeze.

Pure: nothing of Heat is imported.
"""

from collections import abc
import dataclasses
import functools
import hashlib
import re
import typing

from oslo_policy import policy
import yaml

from heat_extras.config_validation import yaml_file
from heat_extras import errors
from heat_extras.freeze import local_time
from heat_extras.freeze import reach
from heat_extras.freeze import recurrence
from heat_extras.freeze import window as windows
from heat_extras import sanitize

OPTION = '[heat_extras] freezes_file'
_KEY, _NOUN = 'freezes', 'freeze'

_KEYS = ('name', 'reason', 'begin', 'end', 'duration', 'rrule', 'timezone',
         'projects', 'operations', 'exempt')
_NAME = re.compile(r'[A-Za-z0-9][A-Za-z0-9._-]{0,63}')


class _Loader(yaml_file.LOADER):
    """PyYAML's safe one, to which a time is a text like any other.

    It would make a time of it whose zone is gone.
    """


_Loader.yaml_implicit_resolvers = {
    letter: [each for each in resolvers
             if each[0] != 'tag:yaml.org,2002:timestamp']
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


@dataclasses.dataclass(frozen=True)
class Freezes:
    """What a file says.

    :param digest: of its content, the same on all hosts that have the same.
    """

    windows: tuple[windows.Window, ...]
    digest: str


def load(path: str) -> Freezes:
    """Read a file of windows.

    :raises ActivationError: with everything that is wrong with it.
    """
    return parse(yaml_file.read(OPTION, path), path)


def digest(content: bytes) -> str:
    """Return what stands for the content of a file."""
    return hashlib.sha256(content).hexdigest()


@functools.lru_cache(maxsize=1)
def parse(content: bytes, path: str) -> Freezes:
    """Make windows of the content of a file.

    The last one is kept: an engine that starts is asked whether the file is
    good, and then for what it says.

    :raises ActivationError: as :func:`load`.
    """
    found = yaml_file.parse(OPTION, path, content, _KEY, _NOUN, _Loader)
    problems = [*_shape(found.value), *found.repeated(), *found.named()]
    made = []
    for index, entry in enumerate(found.entries()):
        read = _Entry(entry)
        made.append(read.window())
        problems += [((_KEY, index, *place), said)
                     for place, said in read.problems]
    found.refuse(problems)
    return Freezes(tuple(each for each in made if each is not None),
                   digest(content))


def _shape(value: object) -> yaml_file.Problems:
    wanted = f'wanted "{_KEY}:" and a list of windows below it'
    if not isinstance(value, dict):
        yield (), f'found {_kind(value)}, {wanted}'
        return
    for key in value:
        if key != _KEY:
            yield (key,), (f'found {sanitize.quote(key)}, {wanted}, '
                           'nothing else')
    if not isinstance(value.get(_KEY), list):
        yield (_KEY,), f'found {_kind(value.get(_KEY))}, {wanted}'


def _kind(value: object) -> str:
    return 'nothing' if value is None else sanitize.quote(value)


class _Entry:
    """One entry on its way to be a window.

    :ivar problems: what is wrong in it, and where.
    """

    def __init__(self, entry: object):
        self.problems: list[tuple[yaml_file.Place, str]] = []
        if not isinstance(entry, dict):
            self._wrong((), f'found {_kind(entry)}, wanted a window: any of '
                        f'{", ".join(_KEYS)}')
        self._entry = entry if isinstance(entry, dict) else {}

    def window(self) -> windows.Window | None:
        """Make the window; None where a problem is in the way."""
        for key in self._entry:
            if key not in _KEYS:
                self._wrong((key,), f'found {sanitize.quote(key)}, wanted any '
                            f'of {", ".join(_KEYS)}')
        zone = self._read('timezone', local_time.zone, local_time.Zone())
        fields = {'name': self._required('name', _name),
                  'reason': self._read('reason', _reason),
                  'projects': self._read('projects', _projects),
                  'operations': self._read(
                      'operations', _operations, frozenset(reach.CHANGES)),
                  'exempt': self._read('exempt', _exempt)}
        if zone is not None:
            fields.update(zone=zone, **self._times(zone))
        if self.problems:
            return None
        return self._checked(windows.Window(**fields))

    def _times(self, zone: local_time.Zone) -> dict[str, typing.Any]:
        begin = self._required(
            'begin', lambda found: local_time.read(found, zone))
        end = self._read('end', lambda found: local_time.read(found, zone))
        length = self._read('duration', local_time.length)
        both = [key for key in ('end', 'duration') if key in self._entry]
        if len(both) != 1:
            self._wrong(('begin',), f'found {" and ".join(both) or "neither"}'
                        ', wanted one of "end" and "duration"')
        if 'rrule' in self._entry and 'end' in self._entry:
            self._wrong(('end',), 'found it beside "rrule", wanted '
                        '"duration", which is meant each time')
        again = None
        if begin is not None:
            again = self._read('rrule', lambda found: recurrence.read(
                found, begin, zone))
        return {'begin': begin, 'end': end, 'length': length, 'again': again}

    def _checked(self, made: windows.Window) -> windows.Window:
        if made.ends(made.begin) <= made.zone.to_utc(made.begin):
            # A duration ends there, too, where clocks leave out a whole day.
            key = 'end' if made.length is None else 'duration'
            self._wrong((key,), f'found {sanitize.quote(self._entry[key])}, '
                        'wanted it after "begin"' if key == 'end' else
                        f'found {sanitize.quote(made.begin.isoformat())} to '
                        'be left out by clocks, wanted another "begin"')
        return made

    def _required(self, key: str, read: abc.Callable) -> typing.Any:
        if key not in self._entry:
            self._wrong((), f'found no "{key}", wanted it')
        return self._read(key, read)

    def _read(self, key: str, read: abc.Callable, default: typing.Any = None
              ) -> typing.Any:
        if key not in self._entry:
            return default
        try:
            return read(self._entry[key])
        except (errors.ActivationError, ValueError) as error:
            self._wrong((key,), f'{key}: {error}')
            return None

    def _wrong(self, place: yaml_file.Place, said: str) -> None:
        self.problems.append((place, said))


def _name(found: object) -> str:
    if not isinstance(found, str) or not _NAME.fullmatch(found):
        raise errors.ActivationError(
            f'found {_kind(found)}, wanted at most 64 letters of ASCII, '
            'digits, dots, dashes and underlines, a letter or digit first')
    return found


def _reason(found: object) -> str:
    if not isinstance(found, str) or not found.strip():
        raise errors.ActivationError(f'found {_kind(found)}, wanted a text')
    sanitize.check('reason', found)
    line = ' '.join(found.split())
    if len(line) > sanitize.LINE:
        raise errors.ActivationError(
            f'found {len(line)} characters, wanted at most '
            f'{sanitize.LINE}')
    return line


def _list(found: object, wanted: str) -> list[str]:
    if not isinstance(found, list) or not found or not all(
            isinstance(each, str) and each for each in found):
        raise errors.ActivationError(
            f'found {_kind(found)}, wanted a list of {wanted}')
    return found


def _projects(found: object) -> frozenset[str]:
    return frozenset(_list(found, "projects' ids, in quotes where one has "
                           'only digits'))


def _operations(found: object) -> frozenset[str]:
    read = {each.strip().lower().replace('_', ' ').replace('-', ' '): each
            for each in _list(found, f'any of {", ".join(reach.ALL)}')}
    unknown = [each for name, each in read.items() if name not in reach.ALL]
    if unknown:
        never = [each for name, each in read.items() if name in reach.NEVER]
        raise errors.ActivationError(
            f'found {", ".join(map(sanitize.quote, unknown))}, wanted any of '
            f'{", ".join(reach.ALL)}'
            + ('; what ends or undoes what runs goes on' if never else ''))
    return frozenset(read)


class _Anything(dict):
    """Has each name that a rule may ask for."""

    def __missing__(self, key: str) -> str:
        return ''


def _is_filled_in(rule: str) -> bool:
    # As it will be with what a token has (oslo_policy._checks).
    try:
        return bool(rule % _Anything())
    except (TypeError, ValueError):
        return False


def _exempt(found: object) -> str:
    if not isinstance(found, str) or not found.strip():
        raise errors.ActivationError(
            f'found {_kind(found)}, wanted a rule of oslo.policy,'
            ' like "rule:context_is_admin"')
    # oslo.policy makes "never" of what it cannot read, and logs the rest.
    is_readable = found.strip() == '!' or str(
        policy.RuleDefault('freeze', found).check) != '!'
    if not is_readable or not _is_filled_in(found):
        raise errors.ActivationError(
            f'found {sanitize.quote(found)}, wanted a rule of '
            'oslo.policy, like "role:admin" or "rule:stacks:'
            'global_index"')
    return found
