# SPDX-License-Identifier: Apache-2.0

"""The reasons of a change. They contain names only, never a value."""

import dataclasses

from heat_extras.plan import change
from heat_extras.plan import resource_plan
from heat_extras.plan import reviewed_request
from heat_extras.plan import unknown

PROPERTY, UNKNOWN_VALUE = 'property', 'unknown_value'
KINDS = (PROPERTY, UNKNOWN_VALUE, 'resource_type', 'unhealthy', 'failed',
         'in_progress', 'predecessor', 'metadata', 'update_policy',
         'type_decision', 'nested_stack', 'condition', 'not_in_template',
         'not_planned', 'deletion_policy')


@dataclasses.dataclass(frozen=True)
class Reason:
    """One reason of a change.

    :param kind: one of :data:`KINDS`.
    :param name: of the property.
    :param forces_replacement: whether the resource must be replaced. None if
        that is not known.
    :param sources: each :class:`unknown.Source` that the value depends on.
    """

    kind: str
    message: str
    name: str | None = None
    forces_replacement: bool | None = None
    sources: tuple = ()


_WITH_STACK = Reason(
    'nested_stack', 'the nested stack that contains it is removed or replaced')
_MAYBE_WITH_STACK = Reason(
    'nested_stack', 'the nested stack that contains it may be removed or '
                    'replaced')

_STATES = {'CHECK': Reason(
    'unhealthy', 'it is marked as unhealthy (CHECK_FAILED)',
    forces_replacement=True)}


def list_reasons(entry):
    """Return a tuple with each :class:`Reason` of a change.

    :param entry: the :class:`tree_plan.Entry`.
    """
    if entry.placeholder == reviewed_request.OTHERS:
        return ()
    if entry.own_change is None:
        return (_WITH_STACK,)
    own = _own_reasons(entry.plan, entry.name, entry.own_change)
    return own if entry.change == entry.own_change else (
        *own, _MAYBE_WITH_STACK)


def _own_reasons(plan, name, planned):
    if planned.action == change.UNCHANGED:
        return ()
    if planned.action == change.ADD or name not in plan.new_names:
        return tuple(_presence_reasons(plan, name, planned))
    with unknown.suppress_errors():
        return tuple(_change_reasons(plan, name, planned))
    return (Reason('not_planned', resource_plan.NOT_PLANNED),)


def _presence_reasons(plan, name, planned):
    if not plan.is_enabled_for_certain(name):
        yield Reason('condition', 'its condition depends on a value that is '
                     'not known yet')
    elif planned.action == change.REMOVE and name not in plan.new_names:
        is_disabled = name in (plan.planned.t.t.get(
            plan.planned.t.RESOURCES) or {})
        yield (Reason('condition', 'its condition is false') if is_disabled
               else Reason('not_in_template', 'the new template does not '
                                              'contain it'))


def _change_reasons(plan, name, planned):
    if not planned.is_known:
        yield Reason('not_planned', planned.reason)
        return
    yield from _presence_reasons(plan, name, planned)
    if plan.changes_type(name):
        yield Reason('resource_type', 'its type changes',
                     forces_replacement=True)
        return
    if plan.has_predecessor(name) and planned.reason is not None:
        yield Reason('predecessor', planned.reason, forces_replacement=True)
        return
    rest = list(_state_reasons(plan, name, planned))
    rest += _value_reasons(plan, name)
    yield from rest
    if planned.action == change.REPLACE and planned.is_certain and not any(
            each.forces_replacement for each in rest):
        yield Reason('type_decision', 'its resource type requires this change',
                     forces_replacement=True)
    elif planned.may_replace and not plan.unresolved(name):
        yield Reason('type_decision', 'its resource type may decide during '
                     'the update to replace it')
    elif not rest:
        yield (Reason('nested_stack', 'its template changes')
               if plan.is_nested(name) else
               Reason('type_decision', 'its resource type requires this '
                                       'change'))


def _state_reasons(plan, name, planned):
    row = plan.rows[name]
    if name in plan.present.in_progress:
        yield Reason('in_progress', f'its {row.action} is in progress')
    if row.status == 'FAILED' and planned.action == change.REPLACE and (
            planned.is_certain):
        interrupted = plan.present.interrupted.get(name)
        yield not interrupted and _STATES.get(row.action) or Reason(
            'failed', f'its {interrupted} was interrupted, because the engine '
            'is down' if interrupted else f'it is {row.action}_FAILED',
            forces_replacement=True)
    if planned.action == change.REMOVE:
        yield Reason('failed', 'its deletion has failed, and Heat removes it '
                     'from the stack without another attempt')


def _value_reasons(plan, name):
    current = plan.current(name)
    after = plan.known_definition(name)
    for key, forces in plan.property_changes(name):
        yield Reason(PROPERTY, f'property "{key}" changes' + (
            ' and forces a replacement' if forces else ''), key, forces)
    schema = current.properties_schema
    for key in sorted(plan.unresolved(name)):
        allowed = key in schema and schema[key].update_allowed
        sources = plan.sources(name, key)
        yield Reason(UNKNOWN_VALUE, _describe(key, sources),
                     None if key == unknown.ALL else key,
                     None if allowed or key == unknown.ALL else True, sources)
    difference = after.freeze() - current.frozen_definition()
    if after.freeze().metadata() != current.frozen_definition().metadata():
        yield Reason('metadata', 'its metadata changes')
    if difference.update_policy_changed():
        yield Reason('update_policy', 'its update_policy changes')


def _describe(key, sources):
    subject = ('the properties depend' if key == unknown.ALL
               else f'property "{key}" depends')
    named = [f'parameter {each.name}' if each.kind == unknown.PARAMETER
             else f'{each.attribute} of {each.name}' if each.attribute
             else each.name for each in sources]
    text = ', '.join(named) if named else 'a value'
    return f'{subject} on {text} (not known yet)'


def without_sources(reason):
    """Return a reason without the names that the value depends on."""
    if not reason.sources:
        return reason
    return dataclasses.replace(
        reason, sources=(),
        message=_describe(reason.name or unknown.ALL, ()))


def describe_reason(reason):
    """Return the body of a :class:`Reason`."""
    return {
        'kind': reason.kind, 'message': reason.message,
        'property': reason.name,
        'forces_replacement': reason.forces_replacement,
        'waits_for': list(map(describe_source, reason.sources))}


def describe_source(source):
    """Return the body of an :class:`unknown.Source`."""
    return {'kind': source.kind, 'name': source.name,
            'attribute': source.attribute or None}
