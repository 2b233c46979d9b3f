# SPDX-License-Identifier: Apache-2.0

"""Parse the operator's file of windows.

An error has the name of its freeze and its key.

Pure: does not import Heat.
"""

from collections import abc
import dataclasses
import datetime
import functools
import hashlib
import typing
import zoneinfo

from oslo_policy import policy
import yaml

from heat_extras.freeze import recurrence
from heat_extras.freeze import window as windows
from heat_extras import sanitize
from heat_extras import timestamps
from heat_extras import yaml_file

OPTION = '[heat_extras] freezes_file'
_KEY, _NOUN = 'freezes', 'freeze'
#: The values of a stack that a rule in ``exempt`` can compare with the token.
TARGET = ('project_id', 'user_id')

_UTC = zoneinfo.ZoneInfo('UTC')
# The end of a freeze must be a valid time.
_LONGEST = datetime.timedelta(days=9999)

_TEXT = {'type': 'string', 'minLength': 1}
_TEXTS = {'type': 'array', 'minItems': 1, 'items': _TEXT}
_OPERATIONS = [name.replace(' ', '_') for name in windows.ALL]
_SCHEMA = {
    'type': 'object', 'additionalProperties': False, 'required': [_KEY],
    'properties': {_KEY: {'type': 'array', 'items': {
        'type': 'object', 'additionalProperties': False,
        'required': ['name', 'begin'],
        'properties': {
            'name': {'type': 'string', 'description': (
                'at most 64 letters, digits, ".", "_" and "-", with a letter '
                'or digit first'),
                'pattern': r'^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z'},
            'projects': _TEXTS,
            'operations': {**_TEXTS, 'items': {'enum': _OPERATIONS}},
            'reason': {**_TEXT, 'maxLength': sanitize.LINE},
            **dict.fromkeys(('begin', 'end', 'duration', 'rrule', 'timezone',
                             'exempt'), _TEXT)}}}}}


@dataclasses.dataclass(frozen=True)
class Freezes:
    """The windows of a file.

    :param digest: the digest of the content, to compare the files of hosts.
    """

    windows: tuple[windows.Window, ...]
    digest: str


def load(path: str) -> Freezes:
    """Read a file of windows.

    :raises ActivationError: with all errors of the file.
    """
    return parse(yaml_file.read(OPTION, path), path)


def digest(content: bytes) -> str:
    """Return the digest of the content of a file."""
    return hashlib.sha256(content).hexdigest()


@functools.lru_cache(maxsize=1)
def parse(content: bytes, path: str) -> Freezes:
    """Parse the content of a file, and cache the last result.

    While an engine starts, the same file is parsed twice: once to validate
    the configuration, and once for its windows.

    :raises ActivationError: with all errors of the file.
    """
    # With this loader each scalar is a text, even if it looks like a time.
    document = yaml_file.parse(OPTION, path, content, _KEY, _NOUN,
                               yaml.BaseLoader)
    problems = [*document.schema_problems(_SCHEMA), *document.repeated_names()]
    made = []
    for index, entry in enumerate(document.entries()):
        if isinstance(entry, dict):
            unfit = {place[2:3] for place, _ in problems
                     if place[1:2] == (index,)}
            reader = _Entry(entry, {key for key in entry if (key,) in unfit})
            made.append(reader.window(is_fit=not unfit))
            problems += [((_KEY, index, *place), text)
                         for place, text in reader.problems]
    document.raise_problems(problems)
    return Freezes(tuple(each for each in made if each is not None),
                   digest(content))


class _Entry:
    """Make a window from an entry.

    :ivar problems: the places and texts of its errors.
    """

    def __init__(self, entry: dict[str, typing.Any], unfit: set[str]):
        """Take an entry of the file.

        :param unfit: the keys whose values do not conform to the schema.
        """
        self.problems: list[tuple[yaml_file.Place, str]] = []
        self._entry, self._unfit = entry, unfit

    def window(self, is_fit: bool) -> windows.Window | None:
        """Return the window, or None if the entry has a problem.

        :param is_fit: whether the entry conforms to the schema.
        """
        zone = self._read('timezone', recurrence.parse_zone, _UTC)
        fields = {'name': self._entry.get('name'),
                  'reason': self._read('reason', _reason),
                  'projects': self._read('projects', frozenset),
                  'operations': self._read(
                      'operations', _operations, frozenset(windows.CHANGES)),
                  'exempt': self._read('exempt', _exempt)}
        fields.update(zone=zone, **self._times(zone))
        if self.problems or not is_fit:
            return None
        return self._checked(windows.Window(**fields))

    def _checked(self, made: windows.Window) -> windows.Window | None:
        if made.end_of(made.begin) <= recurrence.to_utc(made.begin,
                                                        made.zone):
            # This is possible if the clocks skip a whole day.
            self._add_problem(
                'begin', f'{made.begin.isoformat()} must be before the end of '
                         'the freeze, in the time zone of the freeze')
            return None
        return made

    def _times(self, zone: zoneinfo.ZoneInfo | None) -> dict[str, typing.Any]:
        parse_time = functools.partial(recurrence.parse_time,
                                       zone=zone or _UTC)
        begin = self._read('begin', parse_time)
        end = self._read('end', parse_time)
        duration = self._read('duration', functools.partial(
            timestamps.parse_duration, most=_LONGEST))
        if ('end' in self._entry) == ('duration' in self._entry):
            self._add_problem('begin', 'expected exactly one of the keys '
                                       '"end" and "duration"')
        if begin is None or zone is None:
            self._read('rrule', recurrence.parse_parts)
            return {}
        if end is not None:
            duration = end - begin
        return {'begin': begin, 'duration': duration,
                'recurrence': self._read('rrule', functools.partial(
                    recurrence.parse, begin=begin, zone=zone))}

    def _read(self, key: str, read: abc.Callable, default: typing.Any = None
              ) -> typing.Any:
        if key not in self._entry or key in self._unfit:
            return default
        try:
            return read(self._entry[key])
        except ValueError as error:
            self._add_problem(key, str(error))
            return None

    def _add_problem(self, key: str, text: str) -> None:
        self.problems.append(((key,), text))


def _reason(text: str) -> str:
    sanitize.check_text('reason', text)
    return ' '.join(text.split())


def _operations(names: list[str]) -> frozenset[str]:
    return frozenset(name.replace('_', ' ') for name in names)


def _exempt(rule: str) -> str:
    check = policy.RuleDefault('freeze', rule).check
    # oslo.policy replaces a rule that it cannot parse by "never", and logs
    # the error.
    is_readable = str(check) != '!' or rule.strip() == '!'
    if not is_readable or not _has_known_target(rule):
        raise yaml_file.not_valid(
            rule, 'a rule of oslo.policy, like "role:admin", that compares '
            'only with %(project_id)s or %(user_id)s')
    # Under a "not", a rule or key that does not exist matches every caller.
    if _has_not(check):
        raise yaml_file.not_valid(rule, 'a rule without "not"')
    return rule


def _has_known_target(rule: str) -> bool:
    # oslo_policy._checks formats the rule like this.
    try:
        return bool(rule % dict.fromkeys(TARGET, ''))
    except (TypeError, ValueError, KeyError):
        return False


def _has_not(check: typing.Any) -> bool:
    return isinstance(check, policy.NotCheck) or any(
        map(_has_not, getattr(check, 'rules', ())))
