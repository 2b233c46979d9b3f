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
from heat_extras.freeze import recurrence
from heat_extras.freeze import window as windows
from heat_extras import sanitize

OPTION = '[heat_extras] freezes_file'
_KEY, _NOUN = 'freezes', 'freeze'
#: What a rule in ``exempt`` can compare with what the token has.
TARGET = ('project_id', 'user_id')

_KEYS = ('name', 'reason', 'begin', 'end', 'duration', 'rrule', 'timezone',
         'projects', 'operations', 'exempt')
_NAME = re.compile(r'[A-Za-z0-9][A-Za-z0-9._-]{0,63}')


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
    # Of that loader each value is a text, also one like a time.
    found = yaml_file.parse(OPTION, path, content, _KEY, _NOUN,
                            yaml.BaseLoader)
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
        yield (), f'found {sanitize.quote(value)}, {wanted}'
        return
    for key in value:
        if key != _KEY:
            yield (key,), (f'found {sanitize.quote(key)}, {wanted}, '
                           'nothing else')
    if not isinstance(value.get(_KEY), list):
        yield (_KEY,), f'found {sanitize.quote(value.get(_KEY))}, {wanted}'


class _Entry:
    """One entry on its way to be a window.

    :ivar problems: what is wrong in it, and where.
    """

    def __init__(self, entry: object):
        self.problems: list[tuple[yaml_file.Place, str]] = []
        if not isinstance(entry, dict):
            self._wrong((), str(_misfit(
                entry, f'a window: any of {", ".join(_KEYS)}')))
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
                      'operations', _operations, frozenset(windows.CHANGES)),
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
            # A duration does so where clocks leave out a whole day.
            self._wrong(('begin',), f'found {made.begin.isoformat()}, wanted '
                        'it before the end, by the clocks of its time zone')
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


def _misfit(found: object, wanted: str) -> errors.ActivationError:
    return errors.ActivationError(
        f'found {sanitize.quote(found)}, wanted {wanted}')


def _name(found: object) -> str:
    if not isinstance(found, str) or not _NAME.fullmatch(found):
        raise _misfit(found, 'at most 64 letters of ASCII, digits, dots, '
                      'dashes and underlines, a letter or digit first')
    return found


def _reason(found: object) -> str:
    if not isinstance(found, str) or not found.strip():
        raise _misfit(found, 'a text')
    sanitize.check('reason', found)
    line = ' '.join(found.split())
    if len(line) > sanitize.LINE:
        raise errors.ActivationError(f'found {len(line)} characters, wanted '
                                     f'at most {sanitize.LINE}')
    return line


def _list(found: object, wanted: str) -> list[str]:
    if not isinstance(found, list) or not found or not all(
            isinstance(each, str) and each for each in found):
        raise _misfit(found, f'a list of {wanted}')
    return found


def _projects(found: object) -> frozenset[str]:
    return frozenset(_list(found, "projects' ids"))


def _operations(found: object) -> frozenset[str]:
    wanted = f'any of {", ".join(windows.ALL)}'
    read = {each.strip().lower().replace('_', ' ').replace('-', ' '): each
            for each in _list(found, wanted)}
    for name, each in read.items():
        if name not in windows.ALL:
            raise _misfit(each, wanted)
    return frozenset(read)


def _exempt(found: object) -> str:
    if not isinstance(found, str) or not found.strip():
        raise _misfit(found, 'a rule of oslo.policy, like '
                      '"rule:context_is_admin"')
    check = policy.RuleDefault('freeze', found).check
    # oslo.policy makes "never" of what it cannot read, and logs the rest.
    is_readable = str(check) != '!' or found.strip() == '!'
    if not is_readable or not _is_filled_in(found):
        raise _misfit(found, 'a rule of oslo.policy, like "role:admin", that '
                      'compares with %(project_id)s or %(user_id)s only')
    # Under a "not", a rule or key that does not exist matches every caller.
    if _has_not(check):
        raise _misfit(found, 'a rule without "not"')
    return found


def _is_filled_in(rule: str) -> bool:
    # As it will be when it is evaluated (oslo_policy._checks).
    try:
        return bool(rule % dict.fromkeys(TARGET, ''))
    except (TypeError, ValueError, KeyError):
        return False


def _has_not(check: typing.Any) -> bool:
    return isinstance(check, policy.NotCheck) or any(
        map(_has_not, getattr(check, 'rules', ())))
