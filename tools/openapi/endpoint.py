# SPDX-License-Identifier: Apache-2.0

"""The description of one method of one URL."""

import dataclasses
from openapi import types


_STACKS = '/{tenant_id}/stacks'

#: URLs of Heat, in the form of its routes and policies.
LIST = _STACKS
DETAIL = _STACKS + '/detail'
PREVIEW_CREATE = _STACKS + '/preview'
NAME = _STACKS + '/{stack_name}'
STACK = NAME + '/{stack_id}'
PREVIEW = STACK + '/preview'
ACTIONS = STACK + '/actions'
RESOURCES = STACK + '/resources'
RESOURCE = RESOURCES + '/{resource_name}'
VALIDATE = '/{tenant_id}/validate'


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """The requests that a URL accepts, and their answers.

    :param path: without the version of the API.
    :param name: the unique ``operationId``.
    :param bodies: the schema of the value of each action, by its name.
    :param body: the schema of the body, in place of ``bodies``.
    :param query: the schema of each query parameter, by its name.
    :param answer: the schema of the answer, None for a redirect with 302, or
        types.NOTHING for 202.
    :param status: of an answer with a schema.
    :param refused: the reason of each other status.
    :param rules: the policy rules of Heat. The rules of heat-extras contain
        their URL.
    :param is_heats: whether this is a request of Heat, and only the
        additions of heat-extras are described.
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
    status: int = 200


def of_stacks(fields: dict[str, types.Schema],
              description: str = '') -> tuple[Endpoint, ...]:
    """Describe fields that are added to a stack and to the lists of stacks.

    :param description: the description of the lists.
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
