# SPDX-License-Identifier: Apache-2.0

"""Medians and their format. Pure: nothing of Heat is imported."""

import dataclasses
import statistics


TIMED_OUT, EXTRAPOLATED, FAILED = '>', '~', 'failed after'


@dataclasses.dataclass(frozen=True)
class Median:
    """A median, or a replacement.

    :param kind: empty when it was measured, else one of :data:`TIMED_OUT`,
        :data:`EXTRAPOLATED` and :data:`FAILED`.
    """

    value: float
    kind: str = ''
    count: int = 0

    def __str__(self):
        return (self.kind + (' ' if self.kind else '')
                + format_seconds(self.value))


def compute_median(values) -> Median | None:
    """Return the median of measured values, or None without values."""
    if not values:
        return None
    return Median(statistics.median(values), count=len(values))


def extrapolate(median: Median, factor: float) -> Median:
    """Scale a median to a size that was not measured."""
    return Median(median.value * factor, EXTRAPOLATED)


def format_seconds(value: float) -> str:
    """Format a duration with at most three significant digits."""
    if value < 0.0995:
        return '%.1f ms' % (value * 1e3)
    if value < 0.9995:
        return '%.0f ms' % (value * 1e3)
    if value < 99.5:
        return '%.1f s' % value
    return '{:,.0f} s'.format(value)


def format_millions(count: float) -> str:
    """Format a large number."""
    return '{:,.1f} million'.format(count / 1e6)


def format_ratio(slow: Median | None, quick: Median | None) -> str:
    """Format the ratio of *slow* to *quick*."""
    if slow is None or quick is None or slow.kind == FAILED:
        return ''
    ratio = slow.value / quick.value
    text = '{:,.0f}'.format(ratio) if ratio >= 9.95 else '%.1f' % ratio
    return slow.kind + (' ' if slow.kind else '') + text


def median_ratio(values, others) -> float:
    """Return the median of the ratios of pairs."""
    return statistics.median(
        value / other for value, other in zip(values, others, strict=True))


def format_percent(ratio: float) -> str:
    """Format a ratio as its signed difference from 1."""
    return '%+.1f %%' % ((ratio - 1) * 100)
