# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage unprotect``: remove a delete protection."""

from heat_extras.cmd import cli_config
from heat_extras.db import lock_admin
from heat_extras.db import root_stack
from heat_extras import sanitize
from heat_extras.stack_lock import options


def unprotect(conf, engine):
    """Remove the delete protection of a root stack.

    Use this if the users of the stack cannot remove the protection, for
    example because their project was deleted in Keystone. Policies and plugins
    are not checked. An event of the stack records the change.

    Examples:

      Remove the protection of a stack:
        heat-extras-manage unprotect web
    """
    root = root_stack.find_root(engine, conf.command.stack, 'list-protected')
    name = f'Stack {root_stack.name_and_id(root)}'
    conf.register_opts(options.OPTIONS, group='heat_extras')
    tag = conf.heat_extras.delete_protection_tag
    is_tagged = tag and root.id in {row.id for row in lock_admin.list_tagged(
        engine, tag, root.tenant)}
    by_tag = (f'{name} is protected by the tag "{tag}". Remove the tag: '
              'openstack stack update --existing --tags TAGS '
              f'{sanitize.printable(root.name)}, where TAGS are all tags of '
              f'the stack except "{tag}". If the stack is suspended, first '
              'resume it.')
    if lock_admin.unprotect(engine, root.id):
        print(f'{name} unprotected.')
        if is_tagged:
            print(by_tag)
        return
    raise cli_config.CommandError(by_tag if is_tagged else (
        f'{name} is not protected from deletion. To list the protected '
        'stacks, run heat-extras-manage list-protected.'))
