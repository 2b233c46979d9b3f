# SPDX-License-Identifier: Apache-2.0

"""openstacksdk as Ansible uses it: ``wait=True``."""

import json
import sys

import openstack


def main():
    operation, name, template, parameters = sys.argv[1:]
    cloud = openstack.connect()
    if operation == 'delete':
        print(cloud.delete_stack(name, wait=True))
        return
    act = (cloud.create_stack if operation == 'create'
           else cloud.update_stack)
    stack = act(name, template_file=template, wait=True,
                **json.loads(parameters))
    print(stack.status)


if __name__ == '__main__':
    try:
        main()
    except openstack.exceptions.SDKException as error:
        sys.exit(str(error))
