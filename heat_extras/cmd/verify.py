# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage list-locks --verify``: what services really hold.

The one command that loads Heat: it reads stacks and asks services with the
credentials that Heat keeps for them, as an engine does.
"""

from importlib import metadata

from oslo_config import cfg

from heat_extras.cmd import configuration
from heat_extras.cmd import output

COLUMNS = ('project', 'stack_name', 'stack_id', 'resource_name',
           'resource_type', 'physical_resource_id', 'noted', 'found',
           'reason')

_ALL = 'all'
_PROTECTED = 'protected'


def verify(conf, rows):
    """Print what each resource is noted as, and what its service says.

    :param rows: the locked root stacks, as
        :func:`heat_extras.db.locks.list_locks` returns them.
    :raises CommandError: when something is not as it should be.
    """
    found = []
    if any(row.lock_level == _ALL for row in rows):
        _load_heat(conf)
        # Only now: this imports Heat.
        from heat_extras.stack_lock.protection import verification
        found = [(row.tenant, *each) for row in rows
                 if row.lock_level == _ALL
                 for each in verification.of_tree(row.id)]
    output.print_rows(COLUMNS, found, conf.command.format)
    others = sum(row[-3:-1] != (_PROTECTED, _PROTECTED) for row in found)
    if others:
        raise configuration.CommandError(
            f'Found {others} of {len(found)} resources not protected as '
            'their locks want it. Lock the stacks again to protect them.')


def _load_heat(conf):
    # As heat.cmd.engine does; Heat 24 has another way of running threads,
    # which is not needed here.
    if int(metadata.version('openstack-heat').partition('.')[0]) > 24:
        from oslo_service import backend
        backend.init_backend(backend.BackendType.THREADING)
    from heat.common import config  # noqa: F401 registers Heat's options
    cfg.CONF([f'--config-{kind}={path}'
              for kind, paths in (('file', conf.config_file),
                                  ('dir', conf.config_dir))
              for path in paths or ()],
             project='heat', prog='heat-engine')
    from heat.engine import resources
    # This loads heat-extras, too, as in an engine.
    resources.initialise()
    if 'stack_lock' not in cfg.CONF.heat_extras.features and (
            _ALL not in cfg.CONF.heat_extras.features):
        raise configuration.CommandError(
            'Found no stack_lock in [heat_extras] features, and without it '
            'no service can be asked. Name the configuration of an engine '
            'with --config-file.')
