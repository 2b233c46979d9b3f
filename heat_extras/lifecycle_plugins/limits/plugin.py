# SPDX-License-Identifier: Apache-2.0

"""The lifecycle plugin ``heat_extras_limits``: the operator's rules.

Heat loads this module in every engine. So it imports only options, and the
rest when a rules file is configured.
"""

from oslo_config import cfg

from heat_extras import conf
from heat_extras.lifecycle import plugin_api


class LimitsPlugin:
    """Deny stacks that violate the rules in ``limits_file``."""

    def __init__(self):
        conf.register_opts(cfg.CONF)
        self._rules = None

    def get_ordinal(self):
        """Return a low ordinal: this plugin needs no other service."""
        return 110

    def is_enabled(self):
        """Read the rules file, if there is one.

        :returns: whether there is a rules file.
        :raises ActivationError: if it is not valid.
        """
        path = cfg.CONF.heat_extras.limits_file
        if not path:
            return False
        from heat_extras.lifecycle_plugins.limits import rules_file
        self._rules = rules_file.load_rules(path)
        return True

    def get_actions(self):
        """Return the actions that plan resources."""
        return plugin_api.WITH_TEMPLATE

    def do_pre_op(self, cnxt, stack, current_stack=None, action=None):
        """Check the planned stack."""
        self._check(cnxt, stack, current_stack, action)

    def do_dry_run(self, cnxt, stack, current_stack=None, action=None):
        """Check the planned stack without a warning."""
        self._check(cnxt, stack, current_stack, action,
                    warn=lambda *about: None)

    def _check(self, *arguments, **keywords):
        if not self._rules:
            return
        from heat_extras.lifecycle_plugins.limits import planned_resources
        planned_resources.check_action(self._rules, *arguments, **keywords)

    def do_post_op(self, cnxt, stack, current_stack=None, action=None,
                   is_stack_failure=False):
        """Do nothing, because the plugin keeps no state."""
