# SPDX-License-Identifier: Apache-2.0

"""The credentials of the person who runs a command."""

from heat.common import context as heat_context
from keystoneauth1 import exceptions
from keystoneauth1 import session as keystone_session
import openstack.config
import openstack.exceptions

from heat_extras.cmd import cli_config


def of_cloud(name):
    """Make a context of Heat's that asks services as a cloud's user.

    :param name: of a cloud in ``clouds.yaml``, or ``envvars``.
    :raises CommandError: when there is no such cloud, or Keystone lets
        nobody in as it says.
    """
    try:
        region = openstack.config.OpenStackConfig().get_one(cloud=name)
        plugin = region.get_auth()
        access = plugin.get_access(_session(region))
    except (openstack.exceptions.ConfigException,
            exceptions.ClientException) as error:
        raise cli_config.CommandError(
            f'Found no way in as cloud {name}: {error}. Wanted a cloud of '
            'clouds.yaml, or "envvars" with OS_AUTH_URL and the other '
            'variables set.') from error
    return heat_context.RequestContext(
        is_admin=True, auth_plugin=plugin, auth_url=region.get_auth_args()[
            'auth_url'], region_name=region.region_name or None,
        username=access.username, user_id=access.user_id,
        project_id=access.project_id, roles=access.role_names)


def _session(region):
    verify, cert = region.get_requests_verify_args()
    return keystone_session.Session(verify=verify, cert=cert)
