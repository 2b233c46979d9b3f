# SPDX-License-Identifier: Apache-2.0

"""python-heatclient: ``poll_for_events``, with no action named."""

import json
import sys

from heatclient import client
from heatclient.common import event_utils
from heatclient import exc
import openstack


def main():
    operation, name, template, parameters = sys.argv[1:]
    cloud = openstack.connect()
    heat = client.Client('1', session=cloud.session,
                         region_name=cloud.config.get_region_name())
    fields = {'parameters': json.loads(parameters)}
    if operation != 'delete':
        fields['template'] = json.load(open(template))
    marker = None
    if operation == 'create':
        heat.stacks.create(stack_name=name, **fields)
    else:
        marker = event_utils.get_events(
            heat, stack_id=name, event_args={'sort_dir': 'desc'},
            limit=1)[0].id
        if operation == 'delete':
            heat.stacks.delete(name)
        else:
            heat.stacks.update(name, disable_rollback=False, **fields)
    try:
        status, _ = event_utils.poll_for_events(heat, name, marker=marker)
    except (exc.CommandError, exc.HTTPNotFound):
        if operation != 'delete':
            raise
        status = 'gone'
    print(status)
    if status.endswith('_FAILED'):
        sys.exit(f'Stack {name} {status}')


if __name__ == '__main__':
    try:
        main()
    except exc.BaseException as error:
        sys.exit(str(error))
