# SPDX-License-Identifier: Apache-2.0

"""The filter of heat-extras in Heat's paste file, put in and taken out.

Text in, text out: comments and spacing are the operator's, and what was put
in can be taken out to the last byte.
"""

import dataclasses
import functools
import re

FACTORY = 'egg:heat-extras#heat_extras'
FILTER = 'heat_extras'

_BLOCK = f"""\
# Added by heat-extras-manage paste --write; --remove takes it out again.
[filter:{FILTER}]
use = {FACTORY}

"""

# heat.api:pipeline_factory takes one pipeline per flavor.
_PIPELINES = 'heat.api:pipeline_factory'

_SECTION = re.compile(r'^\[([^\]]+)\]', re.MULTILINE)
# A value goes on in the lines that are indented.
_VALUE = re.compile(r'^([^\s#;\[=:][^=:\n]*?)[ \t]*[=:][ \t]*'
                    r'(.*(?:\n[ \t]+\S.*)*)', re.MULTILINE)
_OWN_STEP = re.compile(rf'(?<!\S){FILTER}(?:[ \t]+|\n[ \t]+)(?=\S)')
_LAST_STEP = re.compile(r'\S+\s*\Z')


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
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class State:
    """What a paste file says about heat-extras.

    :ivar wraps: whether it is the one of heat-extras, around Heat's own.
    :ivar guarded: names of the pipelines that have the filter.
    :ivar unguarded: names of those that have not.
    """

    wraps: bool
    guarded: tuple
    unguarded: tuple

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
    """
    sections = _sections(text)
    filters = {name.partition(':')[2] for name, values in sections
               if name.startswith('filter:') and _is_ours(values)}
    wraps = any(name.startswith('composite:') and _is_ours(values)
                for name, values in sections)
    guarded: list[str] = []
    unguarded: list[str] = []
    for pipeline in _pipelines(sections):
        if flavor not in (None, pipeline.flavor) and pipeline.flavor:
            continue
        chosen = guarded if filters & set(pipeline.steps) else unguarded
        chosen.append(pipeline.name)
    return State(wraps, tuple(guarded), tuple(unguarded))


def has_sections(text):
    """Return whether there is anything in it that paste would read."""
    return bool(_sections(text))


def _keep_line_ends(change):
    # Where every line ends as Windows has it, so do those that are put in.
    @functools.wraps(change)
    def keep(text):
        plain = text.replace('\r\n', '\n')
        if plain.replace('\n', '\r\n') != text:
            return change(text)
        return change(plain).replace('\n', '\r\n')
    return keep


@_keep_line_ends
def add(text):
    """Put the filter in front of the application of each pipeline.

    :returns: the new text; the same text where nothing is missing.
    """
    state = inspect(text)
    if state.wraps or not state.unguarded:
        return text
    for pipeline in reversed(_pipelines(_sections(text))):
        if pipeline.name in state.unguarded:
            value = _LAST_STEP.sub(rf'{FILTER} \g<0>',
                                   text[pipeline.start:pipeline.end])
            text = text[:pipeline.start] + value + text[pipeline.end:]
    return text if _has_filter(text) else _BLOCK + text


@_keep_line_ends
def remove(text):
    """Take out what :func:`add` put in.

    :returns: the text as it was before.
    """
    if _BLOCK not in text:
        return text
    text = text.replace(_BLOCK, '', 1)
    for pipeline in reversed(_pipelines(_sections(text))):
        value = _OWN_STEP.sub('', text[pipeline.start:pipeline.end])
        text = text[:pipeline.start] + value + text[pipeline.end:]
    return text


def _has_filter(text):
    return any(name == f'filter:{FILTER}' for name, _ in _sections(text))


def _is_ours(values):
    return any(key == 'use' and value.strip() == FACTORY
               for key, value, _, _ in values)


def _sections(text):
    """List the sections as pairs of a name and its values.

    A value is a tuple of key, value, and where in the text the value is.
    """
    heads = list(_SECTION.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)] * bool(heads)
    return [(head.group(1).strip(), [
                (found.group(1), found.group(2), found.start(2),
                 found.end(2))
                for found in _VALUE.finditer(text, head.end(), end)])
            for head, end in zip(heads, ends, strict=True)]


def _pipelines(sections):
    found = []
    for name, values in sections:
        has_flavors = any(key == 'paste.composite_factory'
                          and value.strip() == _PIPELINES
                          for key, value, _, _ in values)
        for key, value, start, end in values:
            if has_flavors and key != 'paste.composite_factory':
                found.append(Pipeline(f'{name}.{key}', key,
                                      tuple(value.split()), start, end))
            elif name.startswith('pipeline:') and key == 'pipeline':
                found.append(Pipeline(name, None, tuple(value.split()),
                                      start, end))
    return found
