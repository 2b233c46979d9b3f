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
    """

    name: str
    instance: object
    ordinal: float = DEFAULT_ORDINAL
    mode: str = FAIL
    timeout: int = 0
    on_error: str = DENY

    def method(self, name: str) -> typing.Callable | None:
        """Return a method of the plugin, or None when it has none."""
        found = getattr(self.instance, name, None)
        return found if callable(found) else None

    @property
    def sort_key(self) -> tuple[float, str]:
        return (self.ordinal, self.name)
