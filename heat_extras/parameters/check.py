# SPDX-License-Identifier: Apache-2.0

"""Check an update of one stack against the rules."""

import contextvars
import dataclasses

from oslo_config import cfg

from heat_extras import context_vars
from heat_extras.parameters import readings
from heat_extras.parameters import rules

_postponed = contextvars.ContextVar('heat_extras_parameters', default=None)


def postponed():
    """Keep what Heat asks meanwhile instead of an answer.

    Heat asks before it has validated the rest of the update, when the
    nested stacks can't be looked at yet.

    :returns: a list, which comes to hold what :func:`answers` takes first.
    """
    return context_vars.override(_postponed, [])


def postpone(*question):
    """Keep a question for later, if there is a later."""
    questions = _postponed.get()
    if questions is not None:
        questions.append(question)
    return questions is not None


def answers(old, new, given=None, operation=rules.Operation.UPDATE,
            unknown=(), restricted=()):
    """Judge all parameters of a stack.

    :param old: :class:`heat.engine.parameters.Parameters` that it has.
    :param new: those that it would have.
    :param given: values of the request, by name; they are in *new* already,
        or go over it.
    :param unknown: names of those whose new value can't be known yet.
    :param restricted: names of those that an update under way has lifted.
    :returns: name to answer, sorted, only what is not allowed.
    """
    before = {name: dataclasses.replace(
        reading, updatable=reading.updatable and name not in restricted)
        for name, reading in readings.read(old).items()}
    after = readings.read(new, given, unknown)
    lift = cfg.CONF.heat_extras.parameter_lift
    found = {name: rules.answer(before[name], after.get(name), lift,
                                operation) for name in sorted(before)}
    return {name: answer for name, answer in found.items()
            if answer is not rules.Answer.ALLOWED}
