# SPDX-License-Identifier: Apache-2.0

"""Check a paste file of Heat's API services for heat-extras."""

import configparser
import dataclasses
import os
import sys

from heat_extras import operator_errors

FACTORY = 'egg:heat-extras#heat_extras'

# The name of Heat's own file, and the option of the composite of heat-extras
# that has another path.
HEAT_PASTE_FILE = 'api-paste.ini'
_PATH_OPTION = 'heat_paste_config'

# heat.api:pipeline_factory takes one pipeline per flavor.
_PIPELINES = 'heat.api:pipeline_factory'
_FACTORY_KEY = 'paste.composite_factory'


class Unreadable(ValueError):
    """The text is not a paste file: paste cannot read it either."""


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
    """The use of heat-extras in a paste file.

    :ivar wraps: whether the file is the paste file of heat-extras, which
        loads Heat's own.
    :ivar around: the configured paths of Heat's own file, None for the
        default.
    :ivar guarded: names of the pipelines with the filter.
    :ivar unguarded: names of the pipelines without the filter.
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
    """Find the pipelines of a paste file that have the filter.

    :param text: the content of the file.
    :param flavor: the flavor in heat.conf. Pipelines of other flavors are
        ignored. None for all pipelines.
    :returns: a :class:`State`.
    :raises Unreadable: if paste could not read the text.
    """
    parsed = _parse(text)
    own_sections = [name.partition(':') for name in parsed.sections()
                    if parsed[name].get('use', '').strip() == FACTORY]
    filters = {name for kind, _, name in own_sections if kind == 'filter'}
    guarded: list[str] = []
    unguarded: list[str] = []
    for pipeline in _pipelines(parsed):
        if flavor is None or pipeline.flavor in (None, flavor):
            chosen = guarded if filters & set(pipeline.steps) else unguarded
            chosen.append(pipeline.name)
    composites = [':'.join((kind, name)) for kind, _, name in own_sections
                  if kind == 'composite']
    return State(bool(composites), tuple(guarded), tuple(unguarded),
                 tuple(dict.fromkeys(parsed[name].get(_PATH_OPTION)
                                     for name in composites)))


def find_heat_paste_file(conf, configured=None):
    """Find Heat's own paste file.

    :param configured: its path. By default, search it as Heat does, then
        beside the Python environment.
    :raises ActivationError: if there is no such file.
    """
    candidates = [configured] if configured else [
        conf.find_file(HEAT_PASTE_FILE),
        os.path.join(sys.prefix, 'etc', 'heat', HEAT_PASTE_FILE)]
    for path in candidates:
        if path and os.path.exists(path):
            return os.path.abspath(path)
    raise operator_errors.ActivationError(
        "Heat's own paste file does not exist. Searched paths: "
        f'{", ".join(filter(None, candidates))}. In the paste file of '
        f'heat-extras, set "{_PATH_OPTION}" to the path of '
        "Heat's own paste file")


class _Parser(configparser.RawConfigParser):
    """A parser like paste.deploy.loadwsgi.NicerConfigParser.

    But it does not insert values like %(here)s, and has no default section,
    because paste passes defaults to factories separately.
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
