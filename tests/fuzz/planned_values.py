# SPDX-License-Identifier: Apache-2.0

"""Compare the values of plans with the values in the database."""

import copy
import hashlib
import itertools
import json
import re

SECRET = 's3CRet'
_A = {'get_param': 's_a'}
# What a template can make of a secret.
_DERIVED = (
    _A, {'digest': ['sha256', _A]},
    {'list_join': ['', {'str_split': ['C', _A]}]},
    {'yaql': {'expression': '$.data.toUpper()', 'data': _A}},
    {'str_replace': {'template': 'C', 'params': {'C': _A}}})
_STEP = re.compile(r'\[(\d+)\]|\["(.*?)"\]|([\w-]+)')


def wrong_values(plan, key, tree):
    """List the values of a plan that a tree does not have, as texts.

    :param key: ``before`` or ``after``.
    :param tree: an :class:`actual_changes.Tree` with schemata.
    """
    return [
        f'{entry["path"]}: {key} {value}, but is {actual}'
        for entry in plan if entry['path'] in tree.found
        and entry['certainty'] != 'unknown'
        and not (key == 'before' and entry['action'] == 'added')
        for value in entry['values']
        if not (value['hidden'] or value['truncated']
                or value['unknown'] and key == 'after')
        for actual in [_select(tree.found[entry['path']][1][0],
                               value['path'])]
        if _spell(actual) != _spell(value[key])]


def _select(properties, path):
    for index, quoted, name in _STEP.findall(path):
        try:
            properties = properties[int(index) if index else quoted or name]
        except (KeyError, IndexError, TypeError):
            return None
    return properties


def _spell(value):
    if isinstance(value, dict):
        return {key: _spell(each) for key, each in value.items()
                if each is not None}
    if isinstance(value, list):
        return list(map(_spell, value))
    number = str(value).lower()
    return number.removesuffix('.0')


def hide(tree, number):
    """Return a tree whose root gets most texts from hidden parameters.

    :param number: the hidden values contain it.
    """
    tree, secret = copy.deepcopy(tree), _secret(number)
    template = tree['template'] = json.loads(_hidden(json.dumps(
        tree['template'])))
    template['resources'] = _derived(template['resources'],
                                     itertools.cycle(_DERIVED))
    tree['template']['parameters'].update({
        's_a': {'type': 'string', 'hidden': True},
        's_m': {'type': 'json', 'hidden': 'y'},
        's_l': {'type': 'comma_delimited_list', 'hidden': 1}})
    tree['parameters'] = {
        **tree['parameters'], 's_a': secret, 's_l': f'{secret},{secret}',
        's_m': {'k': secret, 'u': secret}}
    leaf = tree['files']['leaf.yaml']
    leaf['parameters']['b'] = {**leaf['parameters']['b'], 'hidden': True,
                               'default': secret}
    return tree


def find_spellings(text, numbers):
    """List the spellings of hidden values in a text.

    :param numbers: those that :func:`hide` got.
    """
    return [each for each in (
        SECRET.lower(), SECRET.replace('C', '').lower(),
        *(hashlib.sha256(_secret(number).encode()).hexdigest()
          for number in numbers)) if each in text.lower()]


def _secret(number):
    return f'{SECRET}{number}'


def _derived(part, forms):
    """Put one form after the other in place of a hidden parameter."""
    if part == _A:
        return next(forms)
    if isinstance(part, dict):
        return {key: _derived(each, forms) for key, each in part.items()}
    if isinstance(part, list):
        return [_derived(each, forms) for each in part]
    return part


def _hidden(text):
    for name in 'aml':
        text = text.replace(f'{{"get_param": "{name}"}}',
                            f'{{"get_param": "s_{name}"}}')
        text = text.replace(f'{{"get_param": ["{name}",',
                            f'{{"get_param": ["s_{name}",')
    return text
