# SPDX-License-Identifier: Apache-2.0

"""Files that operators might write: nearly valid, and arbitrary ones.

Each part is valid often enough that invalid parts in other places are reached.
"""

import json

from hypothesis import strategies as st

# Values of YAML and JSON, some of which have caused errors before.
LETTERS = st.characters(codec=None)
SURPRISING = st.sampled_from([
    '', ' ', '\x00', '\x1b[2J', '\ud800', '\U0001f512', '\u202e', 'é' * 300,
    'a' * 256, "' OR '1'='1", '%s', '{0}', '*', '[', '(', '\\', '-1', 'null',
    '\n', 'a\nb', '=1+1', '../../etc/passwd', '%(x)s', '${x}'])
TEXTS = st.one_of(SURPRISING, st.text(LETTERS, max_size=20))


class Huge:
    """A number that YAML reads and Python does not write."""

    def __init__(self, sign):
        self.text = f'{sign}0x{"f" * 5000}'

    def __repr__(self):
        return self.text[:4] + '...'


NUMBERS = st.one_of(
    st.integers(-3, 300), st.integers(),
    st.sampled_from([Huge(''), Huge('-'), 1 << 63]), st.floats())
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)


def anything():
    """Return a strategy for any value of a document."""
    return st.recursive(SCALARS, lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(TEXTS, inner, max_size=3)), max_leaves=5)


def nearly(good, wrong=None, often=40):
    """Return a strategy that rarely uses another strategy.

    :param often: how often the first strategy is used for each other one.
    """
    other = anything() if wrong is None else wrong
    # Neither the minimum nor the maximum, which hypothesis tries often.
    # Simplified cases become valid.
    return st.integers(0, often).flatmap(
        lambda number: other if number == often // 2 + 1 else good)


def entry(required, optional, often=40):
    """Return maps with valid keys, and rarely an invalid key."""
    right = st.fixed_dictionaries(
        {key: nearly(value, often=often) for key, value in required.items()},
        optional={key: nearly(value, often=often)
                  for key, value in optional.items()})
    # An entry that lacks a key, or has another key.
    wrong = st.tuples(right, st.sampled_from(sorted(required) or ['x']),
                      TEXTS, anything()).map(
        lambda drawn: {**{key: value for key, value in drawn[0].items()
                          if key != drawn[1]}, drawn[2]: drawn[3]})
    return nearly(right, wrong, often)


class _Yaml:
    """Write values as YAML, in formats that JSON does not have."""

    def __init__(self, is_hexadecimal):
        self._is_hexadecimal = is_hexadecimal

    def written(self, value):
        if isinstance(value, dict):
            return '{%s}' % ', '.join(
                f'{self.written(key)}: {self.written(each)}'
                for key, each in value.items())
        if isinstance(value, list):
            return '[%s]' % ', '.join(map(self.written, value))
        if isinstance(value, int) and not isinstance(value, bool):
            return hex(value) if self._is_hexadecimal else str(value)
        if isinstance(value, Huge):
            return value.text
        if isinstance(value, float):
            return {'nan': '.nan', 'inf': '.inf', '-inf': '-.inf'}.get(
                str(value), str(value))
        return json.dumps(value)


#: Texts that are rarely unusual.
WORDS = nearly(st.sampled_from(['web', 'a b', 'OS::Nova::Server', 'x-1']),
               TEXTS, 8)


def contents(document):
    """Return the content of files with a document, rarely broken."""
    written = st.tuples(document, st.booleans()).map(
        lambda drawn: _Yaml(drawn[1]).written(drawn[0]))
    return nearly(written, st.one_of(
        written.flatmap(_broken), st.binary(max_size=200),
        st.text(max_size=200).map(lambda text: text.encode(
            errors='surrogatepass')),
        st.sampled_from(_NASTY)), often=8).map(_encoded)


def _encoded(content):
    return (content if isinstance(content, bytes)
            else content.encode(errors='surrogatepass'))


def _broken(text):
    # A part is removed, doubled, or replaced by characters special in YAML.
    return st.tuples(
        st.integers(0, len(text)), st.integers(0, 20),
        st.sampled_from(['', '&a ', '*a', '!!int ', '!!python/name:os.system ',
                         '\t', '\n', ': ', '- ', '#', '{', ']', '"', '<<: *a',
                         '!!binary ', '!!set ', '!!timestamp ', '%YAML 9.9\n',
                         '---\n', '0x', '2026-99-99', '1:99', '=', '? '])).map(
        lambda cut: text[:cut[0]] + cut[2] + text[cut[0] + cut[1]:])


_NASTY = (
    '', '---\n---\n', '[' * 2000, '{a: ' * 300, '!!int x', '2026-13-45',
    '1' * 5000, '0x' + 'f' * 5000, '&a [*a]', '&a {*a : 1}', '? [a]\n: b',
    '? {a: b}\n: c', '- &a [1,2]\n- *b', '!!timestamp x', '!!float x',
    '!!bool x', '!!binary ///', '\ufeff', '\x00', '!<tag:x> 1',
    '{1: 2, null: 3, true: 4, .nan: 5}', '{a: 1, b: 2}: c',
    '!!python/object/apply:os.getcwd []', '<<: 5', '<<: [[1]]')
