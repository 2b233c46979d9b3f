# SPDX-License-Identifier: Apache-2.0

"""Base of the tests of parameters, with the template patches applied."""

import fixtures
from heat.engine import environment
from heat.engine import template as heat_template
from oslo_config import cfg
import testtools

from heat_extras import conf as heat_extras_conf
from heat_extras import monkey_patch
from heat_extras.parameters import values
from heat_extras.patches import engine_hot_parameters

VERSION = '2018-08-31'


class TestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        heat_extras_conf.register_opts(cfg.CONF)
        self.useFixture(fixtures.MockPatchObject(
            values, 'is_enforced', return_value=True))
        records = monkey_patch.module_records(engine_hot_parameters)
        monkey_patch.apply(records)
        self.addCleanup(monkey_patch.undo, records)

    def set_lift(self, lift):
        cfg.CONF.set_override('parameter_lift', lift, 'heat_extras')
        self.addCleanup(cfg.CONF.clear_override, 'parameter_lift',
                        'heat_extras')


def template(parameters, values=None, defaults=None, version=VERSION):
    """Make a template of Heat, with its environment.

    :param parameters: definitions, by name.
    :param values: given by the user.
    :param defaults: ``parameter_defaults``.
    """
    return heat_template.Template(
        {'heat_template_version': version, 'parameters': parameters},
        env=environment.Environment({
            'parameters': values or {},
            'parameter_defaults': defaults or {}}))


def parameters(template):
    """Make the parameters of a stack with a template."""
    return template.parameters(None, template.env.params,
                               template.env.param_defaults)
