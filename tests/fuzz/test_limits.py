# SPDX-License-Identifier: Apache-2.0

"""Limits files are rejected with errors, or work for all stacks."""

import hypothesis
from hypothesis import strategies as st
import testtools

from heat_extras.lifecycle_plugins.limits import evaluate
from heat_extras.lifecycle_plugins.limits import rules_file
from heat_extras import operator_errors
from heat_extras import sanitize
from tests.fuzz import case_count
from tests.fuzz import operator_files

_TYPES = st.lists(operator_files.nearly(
    st.sampled_from(['OS::Nova::*', 'OS::*', '*', 'OS::Nova::Server']),
    operator_files.TEXTS), min_size=1, max_size=2, unique=True)
_NAMES = st.lists(operator_files.WORDS, min_size=1, max_size=2, unique=True)
_PATTERN = st.one_of(
    st.sampled_from([r'[a-z]+', r'\d+', r'(a|b)*c', r'(?i)x', r'[^\W\d]+',
                     r'(?=a)', r'(a)\1', 'a{0,2000}', 'a++', r'(?a)\w', '[',
                     r'(?s).*', r'\bx', '.{1000}{1000}', '(?P<a>b)', '(?#x)',
                     r'[\S]', '(?x) a #', '(?m)^a$', r'\Z', r'[\d-z]']),
    # Patterns that are slow to convert are listed above, and cached.
    st.text(st.sampled_from(r'ab01[](){}|*+?\dwsbZ^$.,-:=!<>P#i'),
            max_size=8))
_VALUES = st.lists(operator_files.anything(), min_size=1, max_size=3)

_LIMIT = operator_files.entry(
    {'types': _TYPES, 'max': st.integers(0, 3),
     'per': st.sampled_from(['tree', 'project'])}, {})
_PROPERTY = st.one_of(*(operator_files.entry(
    {'types': _TYPES, 'name': st.sampled_from('abc'), condition: value},
    {'optional': st.booleans()}) for condition, value in (
        ('any_of', _VALUES), ('contains_any_of', _VALUES),
        ('pattern', _PATTERN))))
_SAME = operator_files.entry(
    {'type': st.just('OS::*'), 'as': st.just('*'),
     'name': st.sampled_from('abc')}, {'through': _TYPES})
_KINDS = {'limit': _LIMIT, 'forbid': _TYPES, 'require': _TYPES,
          'property': _PROPERTY, 'same': _SAME, 'tags': _NAMES}

ENTRIES = {kind: operator_files.entry(
    {'name': operator_files.nearly(
        st.text('abcdef', min_size=3, max_size=9), operator_files.TEXTS),
     kind: what},
    {'message': operator_files.WORDS, 'projects': _NAMES,
     'mode': st.sampled_from(['deny', 'warn'])})
    for kind, what in _KINDS.items()}
RULES = st.fixed_dictionaries({'rules': st.lists(
    st.one_of(*ENTRIES.values()), min_size=1, max_size=3)})


def _values():
    return st.one_of(
        st.none(), st.just(evaluate.UNKNOWN), st.text(max_size=9),
        st.integers(), st.just(1 << 20000), st.lists(
            st.one_of(st.text(max_size=2), st.dictionaries(
                st.text(max_size=1), st.none())), max_size=2),
        operator_files.TEXTS, st.just('a' * 70000))


_RESOURCES = st.lists(st.builds(
    lambda name, kind, properties, references: evaluate.Resource(
        name, frozenset({kind}), properties.get, references,
        key=(name,)),
    st.sampled_from('xyz'),
    st.sampled_from(['OS::Nova::Server', 'OS::Heat::None', 'my.yaml']),
    st.dictionaries(st.sampled_from('abc'), _values()),
    st.frozensets(st.sampled_from('xyz'))), max_size=3).map(tuple)
SUBJECTS = st.builds(
    evaluate.PlannedStack, _RESOURCES,
    tags=st.lists(operator_files.TEXTS, max_size=2),
    project=st.sampled_from(['web', 'p']), is_root=st.booleans())


class LimitsFileTest(testtools.TestCase):

    @case_count.cases(22)
    @hypothesis.given(operator_files.contents(RULES), SUBJECTS)
    def test_limits_file_is_rejected_with_error_or_works(self, content, stack):
        self.check(content, stack)

    def check(self, content, stack):
        """Fail if a file is accepted and causes an error later."""
        try:
            parsed = rules_file.parse_rules(content, 'limits.yaml')
        except operator_errors.ActivationError as error:
            for sentence in error.args:
                self.assertTrue(sentence.startswith(
                    '[heat_extras] limits_file: limits.yaml'), sentence)
                self.assertTrue(sentence.encode())
            return
        for rule, text in evaluate.find_violations(parsed, stack):
            self.assertTrue(text.startswith(rule.name))
            # The text is stored as the reason of the stack, and returned.
            self.assertTrue(sanitize.make_storable(text).encode())
