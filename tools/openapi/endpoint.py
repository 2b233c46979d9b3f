# SPDX-License-Identifier: Apache-2.0

"""One method of one URL, as a feature describes it."""

import dataclasses
from openapi import types


_STACKS = '/{tenant_id}/stacks'

#: URLs of Heat's, as its routes and policies write them.
LIST = _STACKS
DETAIL = _STACKS + '/detail'
NAME = _STACKS + '/{stack_name}'
STACK = NAME + '/{stack_id}'
PREVIEW = STACK + '/preview'
ACTIONS = STACK + '/actions'
RESOURCES = STACK + '/resources'
RESOURCE = RESOURCES + '/{resource_name}'
VALIDATE = '/{tenant_id}/validate'


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """What can be asked there, and what is answered.

    :param path: without the version of the API.
    :param name: for the functions of clients, unlike any other.
    :param bodies: from the name of an action to the schema of what stands
        under it; or one schema alone.
    :param query: from the words of the query to their schemas.
    :param answer: the schema of what is answered with 200; None: it leads to
        another URL with 302.
    :param refused: from status to when it is answered so.
    :param rules: of the policy, those of Heat's; ours name their URL.
    :param is_heats: whether Heat has it, and what is told here is what we
        add to that.
    """

    method: str
    path: str
    name: str
    summary: str
    answer: types.Schema | None
    description: str = ''
    bodies: dict[str, types.Schema] | None = None
    body: types.Schema | None = None
    query: dict[str,
                types.Schema] = dataclasses.field(default_factory=dict)
    refused: dict[int, str] = dataclasses.field(default_factory=dict)
    rules: tuple[str, ...] = ()
    is_heats: bool = False


def of_stacks(fields: dict[str, types.Schema],
              description: str = '') -> tuple[Endpoint, ...]:
    """Describe fields that Heat's own lists of stacks and one stack have more.

    :param description: of the lists.
    """
    stack = types.besides(fields)
    return (
        *(Endpoint('get', path, name, summary,
                   types.besides({'stacks': types.several(stack)}),
                   description=description, rules=(rule,), is_heats=True)
          for path, name, summary, rule in (
              (LIST, 'listStacks', 'List stacks', 'stacks:index'),
              (DETAIL, 'listStacksInDetail', 'List stacks in detail',
               'stacks:detail'))),
        Endpoint('get', STACK, 'showStack', 'Show a stack',
                 types.besides({'stack': stack}),
                 rules=('stacks:show',), is_heats=True))
