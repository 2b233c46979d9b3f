# SPDX-License-Identifier: Apache-2.0

"""Which feature lies over which where several replace one attribute of Heat.

The outermost one is called first, and is the last to see what the call
returns or raises. Only what is written here decides: an attribute that two
features replace and that is not here stops the activation.
"""

import dataclasses

from heat_extras import errors
from heat_extras import monkey_patch


@dataclasses.dataclass(frozen=True)
class Layers:
    """The features on one attribute.

    :param features: their names, the outermost first.
    :param why: the reason for this order; for one that is free, why no
        other would make a difference.
    """

    features: tuple
    why: str
    is_free: bool = False


def _ordered(*features, why):
    return Layers(features, why)


def _free(*features, why):
    return Layers(features, why, is_free=True)


#: In the place of a feature's name: the doors that all of them share.
EVERY = 'patches'

_FIELDS = 'each adds fields of its own to what Heat made'
_BEGINS = 'each only says which operation begins'
_LOCK_FIRST = ('a locked stack is refused whatever is asked of it; the '
               'refusals of others are for stacks that may be changed')

_READ_LAST = ("parameters makes Heat's immutable of the word; reading drops "
              'what is left of it')

SHARED = {
    'heat.api.openstack.v1:API.__init__': _free(
        'guards', 'stack_lock', why='each adds a URL of its own'),
    'heat.api.aws.exception:map_remote_error': _free(
        EVERY, 'parameters',
        why='each knows other names of errors, and hands on the rest'),
    'heat.api.openstack.v1.views.stacks_view:basic_keys': _free(
        'parameters', 'stack_lock', why='a set of keys: each adds its own'),
    'heat.engine.api:format_stack': _free(
        'parameters', 'stack_lock', why=_FIELDS),
    'heat.engine.api:format_stack_db_object': _free(
        'parameters', 'stack_lock', why=_FIELDS),
    'heat.engine.hot.parameters:HOTParamSchema.from_dict': _ordered(
        'parameters', 'reading', why=_READ_LAST),
    'heat.engine.hot.parameters:HOTParamSchema20180302.from_dict': _ordered(
        'parameters', 'reading', why=_READ_LAST),
    'heat.engine.resource:Resource._signal_check_action': _free(
        'stack_lock', 'freeze',
        why='a signal is ignored by either, or by both'),
    'heat.engine.resource:Resource.signal': _free(
        'stack_lock', 'freeze',
        why='a signal that both ignore is counted once'),
    'heat.engine.resource:Resource.update': _ordered(
        'health', 'update_policy',
        why='the mark decides that a resource is replaced, and the policy '
            'judges what was decided; a mark inside would take the place of '
            'the check of the policy'),
    'heat.engine.service:EngineService._get_stack': _ordered(
        'stack_lock', 'update_policy', 'freeze',
        why='a delete out of a failed lock drops the StackLock of an engine '
            'that died here, and must not when a policy, or a freeze, '
            'refuses it'),
    'heat.engine.service:EngineService.abandon_stack': _free(
        'freeze', 'stack_lock', 'update_policy', why=_BEGINS),
    'heat.engine.service:EngineService.create_stack': _free(
        'freeze', 'update_policy',
        why='freeze refuses before update_policy looks at what it is for'),
    'heat.engine.service:EngineService.delete_snapshot': _free(
        'freeze', 'stack_lock', why=_BEGINS),
    'heat.engine.service:EngineService.delete_stack': _free(
        'freeze', 'stack_lock', 'update_policy', why=_BEGINS),
    'heat.engine.service:EngineService.migrate_convergence_1': _free(
        'freeze', 'stack_lock',
        why='each refuses, and changes nothing before'),
    'heat.engine.service:EngineService._prepare_stack_updates': _free(
        'update_policy', 'stack_lock', 'parameters',
        why='update_policy only keeps what was prepared, for a preview; one '
            'that is refused shows nothing; stack_lock adds a tag to it'),
    'heat.engine.service:EngineService.resource_mark_unhealthy': _ordered(
        'freeze', 'stack_lock', 'health', why=_LOCK_FIRST),
    'heat.engine.service:EngineService.resource_signal': _free(
        'freeze', 'stack_lock', why=_BEGINS),
    'heat.engine.service:EngineService.service_manage_report': _ordered(
        'freeze', 'lifecycle', 'stack_lock', EVERY,
        why='an engine is known before it looks after others; the locks of '
            'an engine that died are LOCK_FAILED before its plugins are told '
            'that they failed; freeze only tells what is in force'),
    'heat.engine.service:EngineService.show_stack': _free(
        'parameters', 'stack_lock', why=_FIELDS),
    'heat.engine.service:EngineService.update_stack': _free(
        'freeze', 'stack_lock', 'lifecycle', 'parameters',
        why='each looks for an error of its own, and hands on the others'),
    'heat.engine.service:EngineService.stack_restore': _free(
        'freeze', 'stack_lock', 'parameters', why='as of update_stack'),
    'heat.engine.service:EngineService.stack_suspend': _free(
        'freeze', 'stack_lock', why=_BEGINS),
    'heat.engine.service:EngineService.stack_resume': _free(
        'freeze', 'stack_lock', why=_BEGINS),
    'heat.engine.service:EngineService.stack_check': _free(
        'freeze', 'stack_lock', why=_BEGINS),
    'heat.engine.service:EngineService.stack_snapshot': _free(
        'freeze', 'stack_lock', why=_BEGINS),
    'heat.engine.stack:Stack._converge_create_or_update': _ordered(
        'lifecycle', 'rollback',
        why='an operation that another one has overtaken while plugins were '
            'asked does not begin, and what the stack was before it counts '
            'for nothing'),
    'heat.engine.stack:Stack._from_db': _free(
        'stack_lock', 'update_policy',
        why='each puts an attribute of its own on the stack'),
    'heat.engine.stack:Stack.converge_stack': _ordered(
        'stack_lock', 'update_policy', 'lifecycle', 'reading',
        why='a lock that came meanwhile answers 409 whatever became of the '
            'operation; an update that a policy refuses never begins, so '
            'that no plugin is asked about it; what an operation says in '
            'vain is noted when it begins'),
    'heat.engine.stack:Stack.get_kwargs_for_cloning': _free(
        'parameters', 'update_policy',
        why='each adds a column of its own'),
    'heat.engine.stack:Stack.persist_state_and_release_lock': _free(
        'lifecycle', 'stack_lock',
        why='the lock writes no reason at all, and without it the reason is '
            'made storable'),
    'heat.engine.stack:Stack.restore_data': _free(
        'parameters', 'stack_lock',
        why='parameters judges what is restored, and stack_lock adds a tag '
            'to it'),
    'heat.engine.stack:Stack.rollback': _free(
        'lifecycle', 'rollback',
        why='rollback only notes on the object what it is about to undo; one '
            'that is given up undoes nothing'),
    'heat.engine.stack:Stack.store': _free(
        'stack_lock', 'update_policy', 'lifecycle', 'rollback', 'reading',
        why='the lock hands on or refuses; the others look at the answer, '
            'each for itself, or make the reason storable, and a refusal '
            'passes them all'),
    'heat.engine.stack:Stack.update': _free(
        'lifecycle', 'stack_lock',
        why='stack_lock sets a tag, which no plugin is asked about'),
    'heat.engine.stack:Stack.validate': _free(
        'update_policy', 'reading',
        why='each refuses what only it looks at'),
    'heat.engine.stack:Stack.update_task': _free(
        'update_policy', 'rollback', 'reading',
        why='rollback waits for the store of an operation that has begun, '
            'and reading for its event; one that a policy refuses is never '
            'IN_PROGRESS, and has no feature that is off'),
}


def arrange(records):
    """Put the records of several features in the order of application.

    The first that is applied to an attribute is the innermost. Records of
    attributes that one feature alone replaces stay where they are, and what
    several features bring along, the very same record, is kept once.

    :raises ActivationError: for an attribute whose order is not known.
    """
    arranged = list(dict.fromkeys(records))
    for target, names in shared(arranged).items():
        inward = _inward(target, names)
        places = [place for place, record in enumerate(arranged)
                  if record.target == target]
        chosen = sorted((arranged[place] for place in places),
                        key=lambda record: inward.index(feature_of(record)))
        for place, record in zip(places, chosen, strict=True):
            arranged[place] = record
    return arranged


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


def _inward(target, names):
    known = SHARED[target].features if target in SHARED else ()
    missing = [name for name in names if name not in known]
    if missing:
        raise errors.ActivationError(
            f'{target}: found it replaced by {", ".join(names)}, wanted '
            f'{", ".join(missing)} in heat_extras.patch_order.SHARED, which '
            'tells which of them is called first, and why')
    return known[::-1]
