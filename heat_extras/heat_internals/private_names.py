# SPDX-License-Identifier: Apache-2.0

"""Private names of Heat that are called, set or read, and not patched.

Heat may change them in any release and says nothing about it, so they are
checked like what is patched, before a feature is turned on.
``tools/check_private_names.py`` in the lint job finds the ones that are used
and not here.
"""

import dataclasses
import inspect

from heat_extras import errors
from heat_extras import monkey_patch


@dataclasses.dataclass(frozen=True)
class PrivateName:
    """One private name of Heat, and who uses it.

    :param target: ``package.module:Class.name`` or ``package.module:name``.
    :param users: the features that use it, ``template_syntax`` or ``sandbox``.
    :param signature: that of the function; None for what the methods of the
        class keep on its objects.
    """

    target: str
    users: tuple[str, ...]
    signature: str | None = None

    @property
    def name(self) -> str:
        return self.target.rpartition(':')[2].rpartition('.')[2]

    def problems(self) -> list[str]:
        """List what Heat has changed, in sentences."""
        if self.signature is not None:
            return monkey_patch.problems([self._patch()])
        try:
            owner = self._patch().owner()
        except errors.PatchError as error:
            return [str(error)]
        return [] if _is_kept_by(owner, self.name) else [
            f'{self.target}: found no method of the class that keeps it, '
            'wanted an attribute of its objects']

    def _patch(self):
        return monkey_patch.Patch(self.target, monkey_patch.WRAP, None,
                                  (self.signature,))


def _is_kept_by(owner, name):
    functions = (inspect.unwrap(function) for function in vars(owner).values()
                 if inspect.isfunction(function))
    return any(name in function.__code__.co_names for function in functions)


def _of(target, **names):
    """Declare names of one class or module: what each is, and its users.

    Users are written in one string, before the signature if it has one.
    """
    separator = '.' if ':' in target else ':'
    for name, written in names.items():
        users, paren, rest = written.partition('(')
        yield PrivateName(target + separator + name, tuple(users.split()),
                          paren + rest or None)


_GROUPS = 'heat.engine.resources.openstack.heat'

#: Who reads templates whatever is on, as a user beside the features.
TEMPLATE_SYNTAX = 'template_syntax'

# Who asks what a nested stack would become.
_PLANS = 'lifecycle parameters update_policy'

DECLARED = (
    *_of('heat.common.grouputils:GroupInspector',
         _get_member_data='health (self)'),
    *_of('heat.db.api',
         _delete_event_rows='stack_lock (context, stack_id, limit)'),
    *_of('heat.engine.clients.client_plugin:ClientPlugin',
         _get_region_name='stack_lock (self)'),
    *_of('heat.engine.resource:Resource',
         _add_event='stack_lock update_policy (self, action, status, reason)',
         _default_client_plugin='stack_lock (self)',
         _needs_update='health lifecycle update_policy (self, after, before, '
                       'after_props, before_props, prev_resource, '
                       'check_init_complete=True)',
         _rpc_client=_PLANS),
    *_of('heat.engine.resources.aws.autoscaling.autoscaling_group:'
         'AutoScalingGroup',
         _get_new_capacity=f'{_PLANS} (self, capacity, adjustment, '
                           "adjustment_type='ExactCapacity', "
                           'min_adjustment_step=None)'),
    *_of(f'{_GROUPS}.autoscaling_group:AutoScalingResourceGroup',
         _create_template=f'{_PLANS} (self, num_instances, '
                          "num_replace=0, template_version=("
                          "'heat_template_version', '2015-04-30'))"),
    *_of(f'{_GROUPS}.instance_group:InstanceGroup',
         _create_template=f'{_PLANS} (self, num_instances, '
                          "num_replace=0, template_version=("
                          "'HeatTemplateFormatVersion', '2012-12-12'))",
         _get_batches=f'{_PLANS} (target_capacity, capacity, batch_size, '
                      'min_in_service)'),
    *_of(f'{_GROUPS}.resource_group:ResourceGroup',
         _current_skiplist=f'{_PLANS} (self)',
         _get_new_skiplist_entries=f'{_PLANS} (self, properties, '
                                   'current_skiplist)',
         _name_skiplist=f'{_PLANS} (self)'),
    *_of('heat.engine.resources.stack_resource:StackResource',
         _child_parsed_template=f'{_PLANS} (self, child_template, '
                                'child_env)',
         _nested=_PLANS),
    *_of('heat.engine.rsrc_defn:ResourceDefinition',
         _frozen='update_policy',
         _metadata='lifecycle update_policy',
         _properties='lifecycle update_policy',
         _rendering='lifecycle update_policy',
         _update_policy='update_policy'),
    *_of('heat.engine.service:EngineService',
         _get_stack='guards (self, cnxt, stack_identity, '
                    'show_deleted=False)'),
    *_of('heat.engine.stack:Stack',
         _add_event='lifecycle (self, action, status, reason)',
         _backup_stack='lifecycle update_policy (self, '
                       'create_if_missing=True)',
         _db_resources='lifecycle update_policy',
         _db_resources_get='lifecycle update_policy (self)',
         _dependencies='lifecycle update_policy',
         _get_best_existing_rsrc_db='lifecycle update_policy (self, '
                                    'rsrc_name)',
         _persist_state='lifecycle (self)',
         _previous_definition='lifecycle update_policy (self, stk_defn)',
         _resource_from_db_resource='stack_lock (self, db_res, '
                                    'stk_def_cache=None)',
         _resources='lifecycle update_policy',
         _set_param_stackid='lifecycle update_policy (self)',
         _template_from_snapshot_data='parameters (snapshot_data)'),
    *_of('heat.engine.template',
         _get_template_extension_manager='sandbox ()'),
    *_of('heat.objects.stack:Stack', _context='stack_lock'),
)


def problems(users):
    """List what Heat has changed of the names that some features use.

    :param users: names of features.
    :returns: sentences; none when all is well.
    """
    return [problem for declared in DECLARED
            if not set(users).isdisjoint(declared.users)
            for problem in declared.problems()]
