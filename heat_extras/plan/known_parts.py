# SPDX-License-Identifier: Apache-2.0

"""The known parts of a value that has unknown parts."""

from heat.engine import function
from heat.engine.hot import functions as hot_functions

from heat_extras.plan import unknown


def resolve_known(raw, parse):
    """Resolve a part of a template, with a MARKER for each unknown value.

    :param raw: the part as it is in the template.
    :param parse: as :meth:`stack_plan.StackPlan.parse`.
    """
    value = _resolve(raw, parse)
    return None if value is Ellipsis else value


def _resolve(raw, parse):
    """Resolve as :func:`resolve_known`. Ellipsis means no value."""
    parsed, value = _resolve_whole(raw, parse)
    if value is not unknown.MARKER:
        return value
    if isinstance(parsed, (hot_functions.MapMerge, hot_functions.If)):
        return _resolve_parts(parsed, raw, parse)
    if isinstance(raw, dict) and isinstance(parsed, dict):
        values = {key: _resolve(each, parse) for key, each in raw.items()}
        return {key: values[key] for key in values
                if values[key] is not Ellipsis}
    if isinstance(raw, list) and isinstance(parsed, list):
        return _resolve_elements(raw, parse)
    return unknown.MARKER


def _resolve_whole(raw, parse):
    """Return a parsed part, and its value or MARKER if it is not all known."""
    parsed = value = None
    with unknown.collect_queries() as queries:
        try:
            parsed, _definition = parse(raw)
            value = _marked(function.resolve(parsed, nullable=True))
        except RecursionError:
            raise
        except Exception:
            unknown.record_query()
    is_known = not (queries or unknown.has_marker(raw))
    return parsed, value if is_known else unknown.MARKER


def _resolve_elements(raw, parse):
    values = []
    for each in raw:
        value = _resolve(each, parse)
        if value is not Ellipsis:
            values.append(value)
        if value == unknown.MARKER and _may_be_omitted(each):
            # The positions of the next elements are not known.
            break
    return values


def _may_be_omitted(raw):
    """Return whether Heat may omit an element of a list."""
    choices = raw.get('if', ())[1:] if isinstance(raw, dict) else ()
    return len(choices) == 1 or any(map(_may_be_omitted, choices))


def _marked(value):
    """Return a resolved value with a MARKER for each unknown part."""
    if isinstance(value, unknown.Parts):
        return value.marked
    if isinstance(value, dict):
        return {key: _marked(each) for key, each in value.items()}
    if isinstance(value, list):
        return list(map(_marked, value))
    return value


def _resolve_parts(parsed, raw, parse):
    """Resolve a function whose result has parts of its arguments."""
    (name, arguments), = raw.items()
    if isinstance(parsed, hot_functions.MapMerge):
        maps = resolve_known(arguments, parse)
        is_fit = isinstance(maps, list) and all(
            isinstance(each, dict | None) for each in maps)
        return {key: value for each in maps for key, value in (
            each or {}).items()} if is_fit else unknown.MARKER
    condition, *choices = arguments
    _parsed, chosen = _resolve_whole({name: [condition, 0, 1]}, parse)
    if chosen not in (0, 1):
        return unknown.MARKER
    return _resolve(choices[chosen], parse) if choices[chosen:] else Ellipsis
