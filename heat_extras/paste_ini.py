# SPDX-License-Identifier: Apache-2.0

"""What a paste file of Heat's API services says about heat-extras."""

import configparser
import dataclasses
import os
import sys

from heat_extras import errors

FACTORY = 'egg:heat-extras#heat_extras'

# Heat's own file, and the option of our composite that names another one.
HEATS = 'api-paste.ini'
_NAMED = 'heat_paste_config'

# heat.api:pipeline_factory takes one pipeline per flavor.
_PIPELINES = 'heat.api:pipeline_factory'
_FACTORY_KEY = 'paste.composite_factory'


class Unreadable(ValueError):
    """Paste does not read it either."""


@dataclasses.dataclass(frozen=True)
class Pipeline:
    """One pipeline of a paste file.

    :ivar name: ``section`` or, among flavors, ``section.flavor``.
    :ivar flavor: None where the file has no flavors.
    :ivar steps: the names of the filters, then of the application.
    """

    name: str
    flavor: str | None
    steps: tuple


@dataclasses.dataclass(frozen=True)
class State:
    """What a paste file says about heat-extras.

    :ivar wraps: whether it is the one of heat-extras, around Heat's own.
    :ivar around: what it says of where that is; None for nothing.
    :ivar guarded: names of the pipelines that have the filter.
    :ivar unguarded: names of those that have not.
    """

    wraps: bool
    guarded: tuple
    unguarded: tuple
    around: tuple = ()

    @property
    def is_complete(self):
        """Whether every request passes through a guarded application."""
        return self.wraps or bool(self.guarded) and not self.unguarded


def inspect(text, flavor=None):
    """Tell where a paste file has the filter.

    :param text: the content of the file.
    :param flavor: of heat.conf; the pipelines of other flavors are not
        looked at then. None for all of them.
    :returns: a :class:`State`.
    :raises Unreadable: see there.
    """
    parsed = _parse(text)
    ours = [name.partition(':') for name in parsed.sections()
            if parsed[name].get('use', '').strip() == FACTORY]
    filters = {name for kind, _, name in ours if kind == 'filter'}
    guarded: list[str] = []
    unguarded: list[str] = []
    for pipeline in _pipelines(parsed):
        if flavor is None or pipeline.flavor in (None, flavor):
            chosen = guarded if filters & set(pipeline.steps) else unguarded
            chosen.append(pipeline.name)
    composites = [':'.join((kind, name)) for kind, _, name in ours
                  if kind == 'composite']
    return State(bool(composites), tuple(guarded), tuple(unguarded),
                 tuple(dict.fromkeys(parsed[name].get(_NAMED)
                                     for name in composites)))


def find_heats(conf, configured=None):
    """Find Heat's own paste file.

    :param configured: its path; by default it is searched as Heat does, then
        beside the Python environment.
    :raises ActivationError: when there is no such file.
    """
    candidates = [configured] if configured else [
        conf.find_file(HEATS), os.path.join(sys.prefix, 'etc', 'heat', HEATS)]
    for path in candidates:
        if path and os.path.exists(path):
            return os.path.abspath(path)
    raise errors.ActivationError(
        f"Heat's paste file: found none of "
        f'{", ".join(filter(None, candidates))}; set {_NAMED} in '
        'the paste file of heat-extras to its path')


class _Parser(configparser.RawConfigParser):
    """Reads as paste.deploy.loadwsgi.NicerConfigParser does.

    But that one puts in values like %(here)s, and paste hands defaults to
    factories apart from the rest.
    """

    def optionxform(self, name):
        return name


def _parse(text):
    parser = _Parser(default_section='')
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise Unreadable(str(error).partition('\n')[0]) from error
    if not parser.sections():
        raise Unreadable('no section')
    return parser


def _pipelines(parsed):
    for name in parsed.sections():
        values = dict(parsed[name])
        if values.pop(_FACTORY_KEY, '').strip() == _PIPELINES:
            for flavor, steps in values.items():
                yield Pipeline(f'{name}.{flavor}', flavor,
                               tuple(steps.split()))
        elif name.startswith('pipeline:') and 'pipeline' in values:
            yield Pipeline(name, None, tuple(values['pipeline'].split()))
