# SPDX-License-Identifier: Apache-2.0

"""The order of features that replace the same attribute of Heat.

The outermost feature is called first, and is the last to receive the result
or the exception of the call.
"""

import typing

from heat_extras import monkey_patch

#: In place of a feature's name: the patches that all features share.
EVERY = 'patches'

#: All names, the outermost first.
DEFAULT = ('freeze', 'stack_lock', 'health', 'update_policy', 'lifecycle',
           'plan', 'parameters', 'guards', 'template_syntax', EVERY)


class Order(typing.NamedTuple):
    """The features on one attribute, the outermost first, and the reason."""

    features: tuple
    why: str


#: Attributes for which another order would be wrong. For other attributes,
#: the order does not matter.
ORDERS = {
    'heat.engine.resource:Resource.update': Order(
        ('health', 'update_policy'),
        'the mark of an unhealthy resource causes its replacement, and the '
        'policy must check this replacement. With health inside, the check '
        'of the policy would be skipped'),
    'heat.engine.service:EngineService._get_stack': Order(
        ('stack_lock', 'update_policy', 'freeze'),
        'a deletion stores its intent here, and must not store it if a '
        'policy or a freeze rejects the deletion'),
    'heat.engine.service:EngineService.resource_mark_unhealthy': Order(
        ('freeze', 'stack_lock', 'health'),
        'any change of a locked stack is rejected because of the lock. The '
        'messages of health are for stacks that may be changed'),
    'heat.engine.service:EngineService.service_manage_report': Order(
        ('freeze', 'lifecycle', 'stack_lock', EVERY),
        'an engine is registered before it cleans up after other engines. '
        'The locks of a dead engine are LOCK_FAILED before the plugins are '
        'notified of the failure. Freeze only reports the windows in effect'),
    'heat.engine.stack:Stack._converge_create_or_update': Order(
        ('lifecycle', 'update_policy'),
        'if another operation starts while plugins are called, the operation '
        'of these calls does not begin, so update_policy must not have '
        'recorded the state of the stack for it'),
    'heat.engine.stack:Stack.converge_stack': Order(
        ('stack_lock', 'update_policy', 'lifecycle'),
        'if the stack is locked during the call, the answer is 409 '
        'regardless of the result of the operation. An update that a policy '
        'rejects does not begin, so no plugin is called'),
}


def arrange(records):
    """Put the records of several features in the order of application.

    The first record that is applied to an attribute is the innermost. Records
    of an attribute that only one feature replaces keep their places. If
    several features list the same record, keep it once.
    """
    arranged = list(dict.fromkeys(records))
    for target in shared_targets(arranged):
        places = [place for place, record in enumerate(arranged)
                  if record.target == target]
        chosen = _innermost_first(order_of(target),
                                  [arranged[place] for place in places])
        for place, record in zip(places, chosen, strict=True):
            arranged[place] = record
    return arranged


def _innermost_first(order, records):
    return sorted(records, reverse=True,
                  key=lambda record: order.index(feature_of(record)))


def order_of(target):
    """Return the names of an attribute's features, the outermost first."""
    return ORDERS[target].features if target in ORDERS else DEFAULT


def shared_targets(records):
    """Return the names of features for each attribute that several replace.

    An added attribute cannot be shared, see :mod:`heat_extras.monkey_patch`.
    """
    features: dict = {}
    for record in records:
        if record.kind != monkey_patch.ADD:
            features.setdefault(record.target, {})[feature_of(record)] = None
    return {target: tuple(names) for target, names in features.items()
            if len(names) > 1}


def feature_of(record):
    """Return the name of the feature that a record belongs to."""
    module = record.replacement.__module__
    return module.removeprefix('heat_extras.').partition('.')[0]
