# SPDX-License-Identifier: Apache-2.0

"""A lifecycle plugin with the operator's settings for it.

Pure: nothing of Heat is imported.
"""

import dataclasses
import typing

DEFAULT_ORDINAL = 100

FAIL, WARN = 'fail', 'warn'
MODES = (FAIL, WARN)

DENY, ALLOW = 'deny', 'allow'
ERROR_RULES = (DENY, ALLOW)


@dataclasses.dataclass(frozen=True)
class Plugin:
    """One plugin of ``heat.stack_lifecycle_plugins``.

    :param name: of its entry point.
    :param instance: what its class made.
    :param mode: ``fail``: what it denies is refused; ``warn``: it is only
        told about.
    :param timeout: seconds that a call may take; 0 for any.
    :param on_error: whether an error of the plugin counts as a denial
        (``deny``) or not (``allow``).
    :param actions: those that the operator wants it to be called for; None
        for all.
    :param judged: those that the plugin says it judges; None when it does
        not say.
    """

    name: str
    instance: object
    ordinal: float = DEFAULT_ORDINAL
    mode: str = FAIL
    timeout: int = 0
    on_error: str = DENY
    actions: frozenset[str] | None = None
    judged: frozenset[str] | None = None

    def method(self, name: str) -> typing.Callable | None:
        """Return a method of the plugin, or None when it has none."""
        found = getattr(self.instance, name, None)
        return found if callable(found) else None

    def is_called_for(self, action: str) -> bool:
        """Return whether the operator wants it to be called for an action."""
        return self.actions is None or action in self.actions

    def is_asked(self, action: str) -> bool:
        """Return whether it is asked before an action."""
        return (self.is_called_for(action)
                and (self.judged is None or action in self.judged)
                and self.method('do_pre_op') is not None)

    @property
    def sort_key(self) -> tuple[float, str]:
        return (self.ordinal, self.name)
