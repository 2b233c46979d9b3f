# SPDX-License-Identifier: Apache-2.0

"""A resource type that is updated in place after a failure, like servers."""

from heat.engine.resources.openstack.heat import test_resource


class Keeping(test_resource.TestResource):

    def needs_replace_failed(self):
        return False


def resource_mapping():
    return {'Test::Keeping': Keeping}
