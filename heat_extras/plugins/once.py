# SPDX-License-Identifier: Apache-2.0

"""An attribute that is worked out when it is first asked for, and kept.

That of functools has one lock for all objects of a class before Python 3.12,
and holds it while one of them works: threads wait for each other, and where
such attributes need one another, two threads wait for ever.
Pure: nothing of Heat is imported.
"""

import typing


class Once:
    """Decorates a method; the object keeps what it returns.

    Objects are meant to be used by one thread each. Where several ask, each
    may work it out, and the last one's is kept.
    """

    def __init__(self, work: typing.Callable[[typing.Any], typing.Any]
                 ) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type | None = None
                ) -> typing.Any:
        if instance is None:
            return self
        # It hides this one from now on. A frozen dataclass takes no other
        # way.
        found = vars(instance)[self._name] = self._work(instance)
        return found
