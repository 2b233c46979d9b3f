# SPDX-License-Identifier: Apache-2.0

"""Private names of Heat that are called, set or read, but not patched.

Heat may change them in any release without notice, so they are checked like
patched names before a feature is enabled. ``tools/check_private_names.py`` in
the lint job finds private names that are used but not declared here.
"""

import dataclasses
import inspect

from heat_extras import monkey_patch
from heat_extras import operator_errors


@dataclasses.dataclass(frozen=True)
class PrivateName:
    """One private name of Heat, and its users.

    :param target: ``package.module:Class.name`` or ``package.module:name``.
    :param users: the features that use it, ``template_syntax`` or ``sandbox``.
    :param signature: the signature of the function, or None for an attribute
        that the methods of the class set on its objects.
    """

    target: str
    users: tuple[str, ...]
    signature: str | None = None

    @property
    def name(self) -> str:
        return self.target.rpartition(':')[2].rpartition('.')[2]

    def find_problems(self) -> list[str]:
        """List the changes in Heat, as sentences."""
        if self.signature is not None:
            return monkey_patch.problems([self._patch()])
        try:
            owner = self._patch().owner()
        except operator_errors.PatchError as error:
            return [str(error)]
        return [] if _is_kept_by(owner, self.name) else [
            f'{self.target} is missing: no method of the class sets this '
            'attribute']

    def _patch(self):
        return monkey_patch.Patch(self.target, monkey_patch.WRAP, None,
                                  (self.signature,))


def _is_kept_by(owner, name):
    functions = (inspect.unwrap(function) for function in vars(owner).values()
                 if inspect.isfunction(function))
    return any(name in function.__code__.co_names for function in functions)


def _declare(target, **names):
    """Declare private names of one class or module.

    :param names: from each name to one string with its users, followed by
        the signature if it is a function.
    """
    separator = '.' if ':' in target else ':'
    for name, written in names.items():
        users, paren, rest = written.partition('(')
        yield PrivateName(target + separator + name, tuple(users.split()),
                          paren + rest or None)


_GROUPS = 'heat.engine.resources.openstack.heat'

#: A user beside the features: templates are parsed whatever is enabled.
TEMPLATE_SYNTAX = 'template_syntax'

# The users of the modules in plan/ that predict the change of a nested stack.
_PLANNERS = 'lifecycle parameters plan update_policy'

_ANY = ('freeze guards health lifecycle parameters plan stack_lock '
        'update_policy')

DECLARED = (
    *_declare(
        'heat.common.grouputils:GroupInspector',
        _context=_PLANNERS,
        _get_member_data=f'health {_PLANNERS} (self)',
        _identity=_PLANNERS),
    *_declare(
        'heat.db.api',
        _delete_event_rows='stack_lock (context, stack_id, limit)'),
    *_declare(
        'heat.engine.clients.client_plugin:ClientPlugin',
        _get_region_name='stack_lock (self)'),
    *_declare(
        'heat.engine.resource:Resource',
        _add_event='stack_lock update_policy (self, action, status, reason)',
        _data=_PLANNERS,
        _default_client_plugin='stack_lock (self)',
        _needs_update='health lifecycle plan update_policy (self, after, '
                      'before, after_props, before_props, prev_resource, '
                      'check_init_complete=True)',
        _rpc_client=_PLANNERS),
    *_declare(
        'heat.engine.resources.aws.autoscaling.autoscaling_group:'
        'AutoScalingGroup',
        _get_new_capacity=f'{_PLANNERS} (self, capacity, adjustment, '
                          "adjustment_type='ExactCapacity', "
                          'min_adjustment_step=None)'),
    *_declare(
        f'{_GROUPS}.autoscaling_group:AutoScalingResourceGroup',
        _create_template=f'{_PLANNERS} (self, num_instances, '
                         "num_replace=0, template_version=("
                         "'heat_template_version', '2015-04-30'))"),
    *_declare(
        f'{_GROUPS}.instance_group:InstanceGroup',
        _create_template=f'{_PLANNERS} (self, num_instances, '
                         "num_replace=0, template_version=("
                         "'HeatTemplateFormatVersion', '2012-12-12'))",
        _get_batches=f'{_PLANNERS} (target_capacity, capacity, batch_size, '
                     'min_in_service)'),
    *_declare(
        f'{_GROUPS}.resource_group:ResourceGroup',
        _current_skiplist=f'{_PLANNERS} (self)',
        _get_new_skiplist_entries=f'{_PLANNERS} (self, properties, '
                                  'current_skiplist)',
        _name_skiplist=f'{_PLANNERS} (self)'),
    *_declare(
        'heat.engine.resources.stack_resource:StackResource',
        _child_parsed_template=f'{_PLANNERS} (self, child_template, '
                               'child_env)',
        _nested=_PLANNERS,
        _outputs=_PLANNERS),
    *_declare(
        'heat.engine.rsrc_defn:ResourceDefinition',
        _frozen='update_policy',
        _metadata='lifecycle plan update_policy',
        _properties='lifecycle plan update_policy',
        _rendering='lifecycle plan update_policy',
        _update_policy='plan update_policy'),
    *_declare(
        'heat.engine.service:EngineService',
        _get_stack='guards stack_lock (self, cnxt, stack_identity, '
                   'show_deleted=False)'),
    *_declare(
        'heat.engine.stack:Stack',
        _add_event='lifecycle (self, action, status, reason)',
        _backup_stack='lifecycle plan update_policy (self, '
                      'create_if_missing=True)',
        _db_resources='lifecycle plan update_policy',
        _db_resources_get='lifecycle plan update_policy (self)',
        _dependencies='lifecycle plan update_policy',
        _get_best_existing_rsrc_db='lifecycle plan update_policy (self, '
                                   'rsrc_name)',
        _persist_state='lifecycle (self)',
        _previous_definition='lifecycle plan update_policy (self, stk_defn)',
        _resource_from_db_resource='stack_lock (self, db_res, '
                                   'stk_def_cache=None)',
        _resources='lifecycle plan stack_lock update_policy',
        _set_param_stackid='lifecycle plan update_policy (self)',
        _template_from_snapshot_data='parameters (snapshot_data)'),
    *_declare(
        'heat.engine.stk_defn:StackDefinition', _parent_info=_PLANNERS),
    *_declare(
        'heat.engine.template',
        _get_template_extension_manager='sandbox ()'),
    *_declare(
        'heat.objects.stack:Stack', _context='stack_lock'),
    *_declare(
        'heat.rpc.client:EngineClient', _client=_ANY),
)


def find_problems(users):
    """List the changes in Heat of the names that some users need.

    :param users: names of features.
    :returns: a list of sentences.
    """
    return [problem for declared in DECLARED
            if not set(users).isdisjoint(declared.users)
            for problem in declared.find_problems()]
