# SPDX-License-Identifier: Apache-2.0

"""A driver of Magnum with a small template instead of images.

What creates, updates, deletes and polls the stack is Magnum's own driver for
Heat, which the released ones inherit, too. It runs in Magnum's environment.
"""

import os

from magnum.drivers.heat import driver
from magnum.drivers.heat import template_def

DISTRO = 'small'


class Definition(template_def.TemplateDefinition):
    """The template and its parameters."""

    driver_module_path = __name__
    template_path = os.path.join(os.path.dirname(__file__),
                                 'small_cluster.yaml')

    def get_params(self, context, cluster_template, cluster, **kwargs):
        return {'node_count': cluster.default_ng_worker.node_count}

    def get_scale_params(self, context, cluster, node_count,
                         scale_manager=None, nodes_to_remove=None):
        return {'node_count': node_count}


class Driver(driver.KubernetesDriver):
    """A cluster type without Kubernetes, which the tests do not need."""

    @property
    def provides(self):
        return [{'server_type': 'vm', 'os': DISTRO, 'coe': 'kubernetes'}]

    def get_template_definition(self):
        return Definition()

    def get_monitor(self, context, cluster):
        """Return no monitor of the cluster."""
