# SPDX-License-Identifier: Apache-2.0

"""openstacksdk's proxy: ``wait_for_status`` and ``wait_for_delete``."""

import json
import sys

import openstack

# The longest time that a user would wait. The default of
# wait_for_status is two minutes.
SECONDS = 3600


def main():
    operation, name, template, parameters = sys.argv[1:]
    proxy = openstack.connect().orchestration
    if operation == 'delete':
        stack = proxy.find_stack(name, ignore_missing=False)
        proxy.delete_stack(stack, ignore_missing=False)
        proxy.wait_for_delete(stack, wait=SECONDS)
        return
    fields = {'template': json.load(open(template)),
              'parameters': json.loads(parameters)}
    if operation == 'create':
        stack = proxy.create_stack(name=name, **fields)
    else:
        stack = proxy.find_stack(name, ignore_missing=False)
        proxy.update_stack(stack, is_rollback_disabled=False, **fields)
    wanted = 'CREATE' if operation == 'create' else 'UPDATE'
    # The cached stack is as old as the last response.
    stack = proxy.wait_for_status(
        proxy.get_stack(stack.id), status=f'{wanted}_COMPLETE',
        failures=[f'{wanted}_FAILED', 'ROLLBACK_COMPLETE',
                  'ROLLBACK_FAILED'], wait=SECONDS)
    print(stack.status)


if __name__ == '__main__':
    try:
        main()
    except openstack.exceptions.SDKException as error:
        sys.exit(str(error))
