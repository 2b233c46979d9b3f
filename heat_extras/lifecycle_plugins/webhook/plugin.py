# SPDX-License-Identifier: Apache-2.0

"""The lifecycle plugin ``heat_extras_webhook``: ask an HTTP service.

Heat loads this module in every engine. So it imports only options, and the
rest when a URL is configured.
"""

from oslo_config import cfg

from heat_extras import conf
from heat_extras.lifecycle import plugin_api

_MAX_REASON = 1000


class WebhookPlugin:
    """Call the service at ``webhook_url`` before or after actions."""

    def __init__(self):
        conf.register_opts(cfg.CONF)
        self._client = None

    def get_ordinal(self):
        """Return a higher ordinal than plugins that need no other service."""
        return 120

    def is_enabled(self):
        """Prepare the client, if there is a URL.

        :returns: whether there is a URL.
        :raises ActivationError: if an option of the client is not valid.
        """
        if not cfg.CONF.heat_extras.webhook_url:
            return False
        from heat_extras.lifecycle_plugins.webhook import client
        self._client = client.make_client(cfg.CONF)
        return True

    def get_actions(self):
        """Return the actions that the service is asked about."""
        is_asked = 'pre' in cfg.CONF.heat_extras.webhook_calls
        return cfg.CONF.heat_extras.webhook_actions if is_asked else ()

    def do_pre_op(self, cnxt, stack, current_stack=None, action=None):
        """Ask whether an action may start.

        :raises Denied: with the reason of the service.
        """
        self._ask(cnxt, stack, current_stack, action, call='pre')

    def do_dry_run(self, cnxt, stack, current_stack=None, action=None):
        """Ask whether an action may start that might never start.

        :raises Denied: with the reason of the service.
        """
        self._ask(cnxt, stack, current_stack, action, call='dry_run',
                  path='/'.join(stack.resource_path))

    def _ask(self, *about, **call):
        if not self._is_wanted('pre', about[-1]):
            return
        with self._client.telling():
            raise_if_denied(self._client.post(_describe_call(*about, **call)))

    def do_post_op(self, cnxt, stack, current_stack=None, action=None,
                   is_stack_failure=False):
        """Notify the service that an action has ended."""
        if self._is_wanted('post', action):
            self._client.post(_describe_call(
                cnxt, stack, current_stack, action, call='post',
                is_stack_failure=is_stack_failure))

    def _is_wanted(self, call, action):
        options = cfg.CONF.heat_extras
        return (self._client is not None and call in options.webhook_calls
                and action in options.webhook_actions)


def _describe_call(cnxt, stack, current_stack, action, **call):
    from heat_extras.lifecycle_plugins.webhook import payload
    return payload.describe_call(cnxt, stack, current_stack, action, **call)


def raise_if_denied(answer: object) -> None:
    """Check the decision in a response.

    :param answer: ``{"result": DECISION}`` or a DECISION, which is a boolean
        or ``{"allow": boolean, "reason": text}``.
    :raises Denied: if the service denies the action.
    :raises Unavailable: if there is no valid decision.
    """
    decision = (answer['result'] if isinstance(answer, dict)
                and 'result' in answer else answer)
    reason: object = None
    if isinstance(decision, dict):
        reason = decision.get('reason')
        decision = decision.get('allow')
    if decision is True:
        return
    if decision is not False:
        raise plugin_api.Unavailable(
            'the answer of the service has no decision: expected "allow": '
            'true or false')
    if not isinstance(reason, str) or not reason:
        reason = 'the service gave no reason'
    raise plugin_api.Denied(reason[:_MAX_REASON])
