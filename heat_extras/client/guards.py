# SPDX-License-Identifier: Apache-2.0

"""Ask what protects a stack, through a client of python-heatclient."""

from urllib import parse

from heat_extras.client import locks


class GuardManager(locks.LockManager):
    """Speak the guards call of heat-extras with an existing heat client."""

    def list(self, stack, nested=False, blocking=None, at=None):
        """List the guards of a stack.

        :param stack: name or ID
        :param nested: those of its nested stacks, too
        :param blocking: only those that stop this action
        :param at: those of a moment like ``2026-12-24T18:00:00Z``
        :returns: a list of dicts
        """
        params = {'nested': 'true' if nested else 'false'}
        if blocking is not None:
            params['blocking'] = blocking
        if at is not None:
            params['at'] = at
        query = parse.urlencode(params)
        path = f'/stacks/{self.resolve(stack)}/guards?{query}'
        return locks.body_of(self.client.get(path))['guards']
