# SPDX-License-Identifier: Apache-2.0

"""Read the operator's windows; an error names its freeze and its key.

Pure: nothing of Heat is imported.
"""

from collections import abc
import dataclasses
import functools
import hashlib
import typing
import zoneinfo

from oslo_policy import policy
import yaml

from heat_extras.config_validation import yaml_file
from heat_extras.freeze import local_time
from heat_extras.freeze import recurrence
from heat_extras.freeze import window as windows
from heat_extras import sanitize

OPTION = '[heat_extras] freezes_file'
_KEY, _NOUN = 'freezes', 'freeze'
#: What a rule in ``exempt`` can compare with what the token has.
TARGET = ('project_id', 'user_id')

_TEXT = {'type': 'string', 'minLength': 1}
_TEXTS = {'type': 'array', 'minItems': 1, 'items': _TEXT}
_OPERATIONS = [name.replace(' ', '_') for name in windows.ALL]
_SCHEMA = {
    'type': 'object', 'additionalProperties': False, 'required': [_KEY],
    'properties': {_KEY: {'type': 'array', 'items': {
        'type': 'object', 'additionalProperties': False,
        'required': ['name', 'begin'],
        'properties': {
            'name': {'type': 'string',
                     'pattern': r'^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z'},
            'projects': _TEXTS,
            'operations': {**_TEXTS, 'items': {'enum': _OPERATIONS}},
            'reason': {**_TEXT, 'maxLength': sanitize.LINE},
            **dict.fromkeys(('begin', 'end', 'duration', 'rrule', 'timezone',
                             'exempt'), _TEXT)}}}}}


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
    # Of that loader each scalar is a text, also one like a time.
    found = yaml_file.parse(OPTION, path, content, _KEY, _NOUN,
                            yaml.BaseLoader)
    problems = [*found.schema_problems(_SCHEMA), *found.repeated_names()]
    unfit = {place[1] for place, _ in problems if len(place) > 1}
    made = []
    for index, entry in enumerate(found.entries()):
        if index not in unfit:
            reader = _Entry(entry)
            made.append(reader.window())
            problems += [((_KEY, index, *place), text)
                         for place, text in reader.problems]
    found.refuse(problems)
    return Freezes(tuple(each for each in made if each is not None),
                   digest(content))


class _Entry:
    """Make a window of one entry that fits the schema.

    :ivar problems: what is wrong in it, and where.
    """

    def __init__(self, entry: dict[str, typing.Any]):
        self.problems: list[tuple[yaml_file.Place, str]] = []
        self._entry = entry

    def window(self) -> windows.Window | None:
        """Make the window; None where a problem is in the way."""
        zone = self._read('timezone', local_time.parse_zone,
                          zoneinfo.ZoneInfo('UTC'))
        fields = {'name': self._entry['name'],
                  'reason': self._read('reason', _reason),
                  'projects': self._read('projects', frozenset),
                  'operations': self._read(
                      'operations', _operations, frozenset(windows.CHANGES)),
                  'exempt': self._read('exempt', _exempt)}
        if zone is not None:
            fields.update(zone=zone, **self._times(zone))
        if self.problems:
            return None
        return self._checked(windows.Window(**fields))

    def _checked(self, made: windows.Window) -> windows.Window | None:
        if made.end_of(made.begin) <= local_time.to_utc(made.begin,
                                                        made.zone):
            # A duration does so where clocks skip a whole day.
            self._wrong('begin', f'{made.begin.isoformat()} must be before '
                        'the end, by the clocks of its time zone')
            return None
        return made

    def _times(self, zone: zoneinfo.ZoneInfo) -> dict[str, typing.Any]:
        parse_time = functools.partial(local_time.parse_time, zone=zone)
        begin = self._read('begin', parse_time)
        end = self._read('end', parse_time)
        duration = self._read('duration', local_time.parse_duration)
        if ('end' in self._entry) == ('duration' in self._entry):
            self._wrong('begin', 'expected one of "end" and "duration"')
        if begin is None:
            return {}
        if end is not None:
            duration = end - begin
        return {'begin': begin, 'duration': duration,
                'recurrence': self._read('rrule', functools.partial(
                    recurrence.parse, begin=begin, zone=zone))}

    def _read(self, key: str, read: abc.Callable, default: typing.Any = None
              ) -> typing.Any:
        if key not in self._entry:
            return default
        try:
            return read(self._entry[key])
        except ValueError as error:
            self._wrong(key, str(error))
            return None

    def _wrong(self, key: str, text: str) -> None:
        self.problems.append(((key,), text))


def _reason(text: str) -> str:
    sanitize.check('reason', text)
    return ' '.join(text.split())


def _operations(names: list[str]) -> frozenset[str]:
    return frozenset(name.replace('_', ' ') for name in names)


def _exempt(found: str) -> str:
    check = policy.RuleDefault('freeze', found).check
    # oslo.policy makes "never" of what it cannot read, and logs the rest.
    is_readable = str(check) != '!' or found.strip() == '!'
    if not is_readable or not _is_filled_in(found):
        raise yaml_file.not_valid(
            found, 'a rule of oslo.policy, like "role:admin", that compares '
            'with %(project_id)s or %(user_id)s only')
    # Under a "not", a rule or key that does not exist matches every caller.
    if _has_not(check):
        raise yaml_file.not_valid(found, 'a rule without "not"')
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
