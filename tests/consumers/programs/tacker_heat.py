# SPDX-License-Identifier: Apache-2.0

"""Stack operations of version 2 of Tacker's API, by the code of Tacker.

It runs in Tacker's environment: its client of Heat and its polling loop, as
the driver for OpenStack calls them when it instantiates, changes and
terminates a VNF.
"""

import json
import os
import sys
import types

from tacker.sol_refactored.common import config
from tacker.sol_refactored.common import exceptions
from tacker.sol_refactored.infra_drivers.openstack import heat_utils


def vim_info():
    """Return the cloud OS_CLOUD in the format of Tacker."""
    with open(os.environ['OS_CLIENT_CONFIG_FILE']) as source:
        cloud = json.load(source)['clouds'][os.environ['OS_CLOUD']]
    auth = cloud['auth']
    return types.SimpleNamespace(
        interfaceInfo={'endpoint': auth['auth_url']},
        accessInfo={'username': auth['username'],
                    'password': auth['password'],
                    'project': auth['project_name'],
                    'userDomain': 'Default', 'projectDomain': 'Default'})


def main():
    operation, name, template, parameters = sys.argv[1:]
    config.CONF([], project='tacker', default_config_files=[])
    config.CONF.set_override('enable_rollback_stack', True, 'v2_vnfm')
    heat = heat_utils.HeatClient(vim_info())
    fields = {'parameters': json.loads(parameters)}
    if operation == 'create':
        with open(template) as source:
            fields['template'] = json.load(source)
        heat.create_stack({'stack_name': name, **fields})
        return
    path = f'{name}/{heat.get_stack_id(name)}'
    if operation == 'delete':
        heat.delete_stack(path)
    else:
        heat.update_stack(path, fields)


if __name__ == '__main__':
    try:
        main()
    except exceptions.SolException as error:
        sys.exit(f'{error.title}: {error.detail}' if error.title
                 else str(error.detail))
