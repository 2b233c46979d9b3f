# SPDX-License-Identifier: Apache-2.0

"""The diagram of time by tree size, as SVG with logarithmic axes."""

import itertools
import math

from bench import report_tables
from bench import server

_WIDTH, _HEIGHT = 420, 300
_LEFT, _TOP, _RIGHT, _BOTTOM = 70, 40, 20, 50
_LOWEST, _HIGHEST = 0.01, 10000
_LINES = (
    ('lock', 'lock', '#0b6e4f'),
    ('unlock', 'unlock', '#6abf69'),
    (('suspend', server.AS_INSTALLED), 'suspend, Heat as installed',
     '#b00020'),
    (('suspend', server.NO_LEAF_SLEEPS),
     'suspend, ' + report_tables.SLEEPS[server.NO_LEAF_SLEEPS], '#e07b39'),
)
# Attributes instead of a style sheet, which some viewers do not support.
_STYLE = ('font-family="sans-serif" font-size="12" stroke-width="2" '
          'fill="none"')


def draw_svg(outcomes, sizes):
    """Draw a panel per database.

    :param outcomes: list of :class:`bench.lock_vs_suspend.Outcome`.
    :returns: the text of an SVG file.
    """
    width = _WIDTH * max(len(outcomes), 2)
    height = _HEIGHT + 24 * ((len(_LINES) + 1) // 2) + 24
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" '
             'width="%d" height="%d">' % (width, height, width, height),
             '<rect width="%d" height="%d" fill="#fff"/>' % (width, height),
             '<g %s>' % _STYLE]
    for number, outcome in enumerate(outcomes):
        parts += ['<g transform="translate(%d 0)">' % (number * _WIDTH),
                  *_panel(outcome, sizes), '</g>']
    return '\n'.join([*parts, *_legend(), '</g>', '</svg>']) + '\n'


def _panel(outcome, sizes):
    yield _text(_LEFT, _TOP - 16, outcome.database,
                'font-size="14" font-weight="bold"')
    yield from _axes(sizes)
    for way, _, colour in _LINES:
        points = [(size, outcome.median(way, size)) for size in sizes
                  if outcome.median(way, size)]
        yield from _line(points, sizes, colour)


def _axes(sizes):
    for power in range(int(math.log10(_LOWEST)), int(math.log10(_HIGHEST))
                       + 1):
        y = _y(10 ** power)
        yield ('<path stroke="#ddd" stroke-width="1" d="M%d %.1fH%d"/>'
               % (_LEFT, y, _WIDTH - _RIGHT))
        yield _text(_LEFT - 8, y + 4, '{:,g} s'.format(10.0 ** power),
                    'text-anchor="end"')
    for size in sizes:
        yield _text(_x(size, sizes), _HEIGHT - _BOTTOM + 18,
                    '{:,d}'.format(size), 'text-anchor="middle"')
    yield _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - _BOTTOM + 38,
                'nested stacks', 'text-anchor="middle"')


def _line(points, sizes, colour):
    """Draw measured values solid, other values dashed and hollow."""
    places = [(_x(size, sizes), _y(median.value), median.kind)
              for size, median in points]
    for (x1, y1, _), (x2, y2, kind) in itertools.pairwise(places):
        yield '<path stroke="%s"%s d="M%.1f %.1fL%.1f %.1f"/>' % (
            colour, ' stroke-dasharray="5 4"' if kind else '', x1, y1, x2,
            y2)
    for x, y, kind in places:
        yield '<circle cx="%.1f" cy="%.1f" r="3.5" stroke="%s" fill="%s"/>' % (
            x, y, colour, '#fff' if kind else colour)


def _legend():
    for number, (_, label, colour) in enumerate(_LINES):
        x = _LEFT + 330 * (number % 2)
        y = _HEIGHT + 12 + 24 * (number // 2)
        yield '<path stroke="%s" d="M%d %dh24"/>' % (colour, x, y)
        yield _text(x + 32, y + 4, label)
    yield _text(_LEFT, _HEIGHT + 12 + 24 * ((len(_LINES) + 1) // 2) + 4,
                'dashed: extrapolated, or given up after that time')


def _x(size, sizes):
    span = math.log10(sizes[-1]) - math.log10(sizes[0]) or 1
    return _LEFT + 16 + (_WIDTH - _LEFT - _RIGHT - 32) * (
        math.log10(size) - math.log10(sizes[0])) / span


def _y(value):
    span = math.log10(_HIGHEST) - math.log10(_LOWEST)
    part = (math.log10(max(value, _LOWEST)) - math.log10(_LOWEST)) / span
    return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * part


def _text(x, y, text, attributes=''):
    return '<text fill="#333" x="%.1f" y="%.1f" %s>%s</text>' % (
        x, y, attributes, text)
