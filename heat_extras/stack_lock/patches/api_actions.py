# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1.actions`: the two new actions."""

from heat.api.openstack.v1 import util
from webob import exc

from heat_extras.heat_internals import api_errors
from heat_extras.heat_internals import rpc_errors
from heat_extras import monkey_patch
from heat_extras.stack_lock import request_body
from heat_extras.stack_lock import words

_ANSWER = 'heat_extras.answer'


@monkey_patch.extends('heat.api.openstack.v1.actions:ActionController')
class StackLockActionsMixin:
    """Extends heat.api.openstack.v1.actions:ActionController."""

    @monkey_patch.wrap(
        '(self, req, tenant_id, stack_name, stack_id, body=None)',
        why='it drops what the action returns, and a dry run has an answer')
    def action(self, original, req, *args, **kwargs):
        original(req, *args, **kwargs)
        return req.environ.get(_ANSWER)

    @monkey_patch.value(why='the controller refuses actions that are not here')
    def ACTIONS(original):
        return (*original, 'lock', 'unlock', 'extend_lock', 'lock_pass',
                'protect', 'unprotect')

    @monkey_patch.add(why='the controller calls the method named like the '
                          'action')
    @util.registered_identified_stack
    def lock(self, req, identity, body=None):
        """Lock a stack and its nested stacks.

        ``{"lock": null}`` or ``{"lock": {"level": ..., "reason": ...,
        "dry_run": ..., "expires_at": ..., "id": ..., "replace": ...}}``
        """
        with api_errors.value_errors_as_400():
            fields = request_body.fields(body['lock'])
        # ActionController.action drops what the action returns.
        req.environ[_ANSWER] = rpc_errors.call_or_409(
            self.rpc_client, req.context, 'stack_lock', 'stack_lock',
            stack_identity=identity, **fields)

    @monkey_patch.add(why='the controller calls the method named like the '
                          'action')
    @util.registered_identified_stack
    def unlock(self, req, identity, body=None):
        """Lift the lock of a stack: ``{"unlock": null}``, or with its id."""
        with api_errors.value_errors_as_400():
            fields = request_body.fields_of_unlock(body['unlock'])
        rpc_errors.call_or_409(
            self.rpc_client, req.context, 'stack_lock', 'stack_unlock',
            stack_identity=identity, **fields)

    @monkey_patch.add(why='the controller calls the method named like the '
                          'action')
    @util.registered_identified_stack
    def extend_lock(self, req, identity, body=None):
        """Give a lock another end: ``{"extend_lock": {"expires_at": ...}}``.

        With ``"id": ...`` only the one that is meant.
        """
        with api_errors.value_errors_as_400():
            fields = request_body.fields_of_extension(body['extend_lock'])
        rpc_errors.call_or_409(
            self.rpc_client, req.context, 'stack_lock', 'stack_extend_lock',
            stack_identity=identity, **fields)

    @monkey_patch.add(why='the controller calls the method named like the '
                          'action')
    @util.registered_identified_stack
    def lock_pass(self, req, identity, body=None):
        """Let one update of one user through a lock, or revoke that.

        ``{"lock_pass": {"user": {"id": ...}, "expires_at": ...,
        "reason": ...}}``, the user also as ``{"name": ..., "domain": ...}``;
        or ``{"lock_pass": null}``
        """
        with api_errors.value_errors_as_400():
            fields = request_body.fields_of_pass(body['lock_pass'])
        rpc_errors.call_or_409(
            self.rpc_client, req.context, 'stack_lock', 'stack_lock_pass',
            stack_identity=identity, **fields)

    @monkey_patch.add(why='the controller calls the method named like the '
                          'action')
    @util.registered_identified_stack
    def protect(self, req, identity, body=None):
        """Protect a stack from deletion: ``{"protect": {"reason": ...}}``."""
        with api_errors.value_errors_as_400():
            fields = request_body.fields_of_protection(body['protect'])
        rpc_errors.call_or_409(
            self.rpc_client, req.context, 'stack_lock', 'stack_protect',
            stack_identity=identity, **fields)

    @monkey_patch.add(why='the controller calls the method named like the '
                          'action')
    @util.registered_identified_stack
    def unprotect(self, req, identity, body=None):
        """Lift that: ``{"unprotect": null}``."""
        if body['unprotect'] is not None:
            raise exc.HTTPBadRequest(words.no_null(body['unprotect'],
                                                   'unprotect'))
        rpc_errors.call_or_409(
            self.rpc_client, req.context, 'stack_lock', 'stack_unprotect',
            stack_identity=identity)
