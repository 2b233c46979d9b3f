# SPDX-License-Identifier: Apache-2.0

"""Work out what a template says without the values that are withheld.

They are not there: neither parameters that are hidden, or not known to be
free of a hidden one, nor anything that comes from a resource, whose state
may be of a template that is long gone. What asks for one of them fails, and
is marked. So nothing has to be known of functions: also one that Heat gets
from elsewhere can work with nothing else.
"""

import functools

from heat.engine import environment
from heat.engine import function
from heat.engine import rsrc_defn
from heat.engine import stk_defn
from heat.engine import template as templates

from heat_extras.plugins import hidden

_PARAMETERS = ('parameters', 'parameter_defaults')


class Withheld(BaseException):
    """What was asked for is not there.

    Functions of Heat's take some exceptions for an empty value
    (heat.engine.hot.functions, GetParam.result), so it is none of those.
    """


def _refuse(*args, **kwargs):
    raise Withheld


class _Parameter:
    """Stands for a parameter whose value is withheld."""

    def __init__(self, name):
        self.name = name

    def hidden(self):
        return True

    def __getattr__(self, name):
        raise Withheld


class _ResourceData(dict):
    """Stands for the state of the resources, as StackDefinition asks it."""

    get = __getitem__ = __contains__ = _refuse


def unless_withheld(work):
    """Make a function that returns None for what can't be worked out."""
    @functools.wraps(work)
    def attempt(*args, **kwargs):
        try:
            return work(*args, **kwargs)
        except (Exception, Withheld):
            # It may be a value that is missing; what it says may have one.
            return None
    return attempt


def open_environment(env, secret):
    """Make an environment of another, without some parameters."""
    found = env.user_env_as_dict()
    return environment.Environment({**found, **{
        section: {name: value for name, value
                  in (found.get(section) or {}).items()
                  if name not in secret}
        for section in _PARAMETERS}})


def definition(stack, template, document, name, secret):
    """Work out the definition of a resource.

    The others are not there: what one is is not decided by another, and a
    condition that is withheld is that of one only.

    :param template: that the document is of, with its files.
    :param document: of it what may be known.
    :param secret: names of the parameters that are withheld.
    :returns: the StackDefinition, and the ResourceDefinition with marks.
    :raises Withheld, Exception: when it can't be worked out.
    """
    body = document[template.RESOURCES][name]
    alone = _alone(template, document, name, body, secret)
    found = stk_defn.StackDefinition(
        stack.context, alone, stack.identifier(), _ResourceData())
    found.get_availability_zones = _refuse
    for parameter in {*secret, hidden.MASK}:
        found.parameters.params[parameter] = _Parameter(parameter)
    if name not in found.enabled_rsrc_names():
        raise Withheld
    reader = _Reader(found, alone)
    return found, rsrc_defn.ResourceDefinition(
        name, body[alone.RES_TYPE],
        properties=reader.read(body.get(alone.RES_PROPERTIES) or {}),
        metadata=reader.read(body.get(alone.RES_METADATA) or {}))


def _alone(template, document, name, body, secret):
    section = template.RESOURCES
    # Old versions know no conditions.
    kept = (template.RES_TYPE, getattr(template, 'RES_CONDITION', None))
    # Whether a condition holds could depend on what a mark is for.
    return templates.Template(
        {**{key: value for key, value in document.items()
            if key != section and not hidden.is_marked(value)},
         section: {name: {key: value for key, value in body.items()
                          if key in kept}}},
        files=template.files, env=open_environment(template.env, secret))


class _Reader:
    """Resolves snippets as they were written, with marks.

    A macro is resolved when it is parsed (heat.engine.function.Macro), so
    that nothing can be parsed as a whole.
    """

    def __init__(self, defn, template):
        self._defn, self._template = defn, template

    def read(self, snippet):
        """Resolve a snippet, with marks for what is withheld."""
        found = self._read(snippet)
        return None if found is Ellipsis else found

    def _read(self, snippet):
        if isinstance(snippet, dict):
            if self._is_function(snippet):
                return self._resolve(snippet)
            return _without_nothing(
                (key, self._read(value)) for key, value in snippet.items())
        if isinstance(snippet, list):
            return [value for value in map(self._read, snippet)
                    if value is not Ellipsis]
        return snippet

    def _is_function(self, snippet):
        # As heat.engine.template.parse.
        return len(snippet) == 1 and next(iter(snippet)) in (
            self._template.functions)

    def _resolve(self, snippet):
        if hidden.is_marked(snippet):
            return hidden.MASK
        try:
            return function.resolve(
                self._template.parse(self._defn, snippet), nullable=True)
        except (Exception, Withheld):
            return hidden.MASK


def _without_nothing(pairs):
    return {key: value for key, value in pairs if value is not Ellipsis}
