# SPDX-License-Identifier: Apache-2.0

"""Which feature wraps which where several replace one attribute of Heat.

The outermost one is called first, and is the last to see what the call
returns or raises.
"""

import typing

from heat_extras import monkey_patch

#: In the place of a feature's name: the patches that all of them share.
EVERY = 'patches'

#: All names, the outermost first.
DEFAULT = ('freeze', 'stack_lock', 'health', 'update_policy', 'lifecycle',
           'plan', 'parameters', 'guards', 'template_syntax', EVERY)


class Order(typing.NamedTuple):
    """The features on one attribute, the outermost first, and the reason."""

    features: tuple
    why: str


#: Where another order would be wrong. Elsewhere it makes no difference.
ORDERS = {
    'heat.engine.resource:Resource.update': Order(
        ('health', 'update_policy'),
        'the mark decides that a resource is replaced, and the policy '
        'judges what was decided; a mark inside would take the place of '
        'the check of the policy'),
    'heat.engine.service:EngineService._get_stack': Order(
        ('stack_lock', 'update_policy', 'freeze'),
        'a deletion stores its intent here, and must not when a policy, or '
        'a freeze, refuses it'),
    'heat.engine.service:EngineService.resource_mark_unhealthy': Order(
        ('freeze', 'stack_lock', 'health'),
        'a locked stack is refused whatever is asked of it; the '
        'refusals of others are for stacks that may be changed'),
    'heat.engine.service:EngineService.service_manage_report': Order(
        ('freeze', 'lifecycle', 'stack_lock', EVERY),
        'an engine is known before it looks after others; the locks of '
        'an engine that died are LOCK_FAILED before its plugins are told '
        'that they failed; freeze only reports what is in effect'),
    'heat.engine.stack:Stack._converge_create_or_update': Order(
        ('lifecycle', 'update_policy'),
        'an operation that another one has overtaken while plugins were '
        'asked does not begin, and what the stack was before it counts '
        'for nothing'),
    'heat.engine.stack:Stack.converge_stack': Order(
        ('stack_lock', 'update_policy', 'lifecycle'),
        'a lock that came meanwhile answers 409 whatever became of the '
        'operation; an update that a policy refuses never begins, so '
        'that no plugin is asked about it'),
}


def arrange(records):
    """Put the records of several features in the order of application.

    The first that is applied to an attribute is the innermost. Records of
    attributes that one feature alone replaces stay where they are, and what
    several features bring along, the very same record, is kept once.
    """
    arranged = list(dict.fromkeys(records))
    for target in shared(arranged):
        places = [place for place, record in enumerate(arranged)
                  if record.target == target]
        chosen = _inward(order_of(target),
                         [arranged[place] for place in places])
        for place, record in zip(places, chosen, strict=True):
            arranged[place] = record
    return arranged


def _inward(order, records):
    return sorted(records, reverse=True,
                  key=lambda record: order.index(feature_of(record)))


def order_of(target):
    """Return the names of features on an attribute, the outermost first."""
    return ORDERS[target].features if target in ORDERS else DEFAULT


def shared(records):
    """Return the names of the features by the attribute that they share.

    What is added can't be shared, see :mod:`heat_extras.monkey_patch`.
    """
    found: dict = {}
    for record in records:
        if record.kind != monkey_patch.ADD:
            found.setdefault(record.target, {})[feature_of(record)] = None
    return {target: tuple(names) for target, names in found.items()
            if len(names) > 1}


def feature_of(record):
    """Return the name of the package below heat_extras that has a record."""
    module = record.replacement.__module__
    return module.removeprefix('heat_extras.').partition('.')[0]
