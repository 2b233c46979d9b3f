# SPDX-License-Identifier: Apache-2.0

"""Resource types that request their replacement while they are updated.

No plan of an update can know this of the first in advance.
"""

import os

TYPE, KNOWN_TYPE = 'Test::AsksLate', 'Test::AsksInHandler'

_PLUGIN = """
from heat.engine import properties
from heat.engine import resource


class AsksLate(resource.Resource):
    properties_schema = {'value': properties.Schema(
        properties.Schema.STRING, update_allowed=True)}

    def handle_create(self):
        self.resource_id_set(self.physical_resource_name())

    def handle_update(self, json_snippet, tmpl_diff, prop_diff):
        _ask(self)

    def prepare_for_replace(self):
        self.data_set('prepared', 'yes')

    def get_reference_id(self):
        return self.data().get('prepared', 'untouched')


class AsksInHandler(AsksLate):
    def handle_update(self, json_snippet, tmpl_diff, prop_diff):
        raise resource.UpdateReplace(self.name)


def _ask(asking):
    raise resource.UpdateReplace(asking.name)


def resource_mapping():
    return {'Test::AsksLate': AsksLate, 'Test::AsksInHandler': AsksInHandler}
"""


def write_plugin(test_class):
    """Write the plugin for a test class with class fixtures.

    :returns: the settings that load it, with the heading of their section.
    """
    path = test_class.write_for_class('asks_late.py', _PLUGIN)
    return f'[DEFAULT]\nplugin_dirs = {os.path.dirname(path)}\n'
