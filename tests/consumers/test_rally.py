# SPDX-License-Identifier: Apache-2.0

"""Conversion of Rally's reports; Rally is not run."""

import testtools

from tests.consumers import rally


def _iteration(*steps, error=()):
    return {'error': list(error), 'atomic_actions': [
        {'name': name, 'started_at': 10.0, 'finished_at': 10.0 + seconds,
         **({'failed': True} if error and number == len(steps) else {})}
        for number, (name, seconds) in enumerate(steps, 1)]}


def _report(**scenarios):
    return {'tasks': [{'subtasks': [{'workloads': [
        {'scenario': {name: {}}, 'data': data}]}
        for name, data in scenarios.items()]}]}


class ReadTest(testtools.TestCase):
    def test_failed_iteration_fails_scenario_and_has_no_time(self):
        result = rally.read(_report(good=[_iteration(('create', 1.0))], bad=[
            _iteration(('create', 1.0), ('delete', 2.0)),
            _iteration(('create', 3.0), ('delete', 9.0),
                       error=('HTTPConflict', 'is locked', 'Traceback'))]))
        self.assertEqual({'good': 'passed', 'bad': 'failed'}, result['found'])
        self.assertEqual(
            {'bad': ['HTTPConflict is locked Traceback']}, result['said'])
        self.assertEqual({'create': 2.0, 'delete': 2.0},
                         result['seconds']['bad'])

    def test_scenario_without_iterations_is_failed(self):
        result = rally.read(_report(none=[]))
        self.assertEqual({'none': 'failed'}, result['found'])
        self.assertEqual({'none': ['it was not run']}, result['said'])


class TableTest(testtools.TestCase):
    def test_table_compares_times_of_steps(self):
        self.assertEqual(
            ['a create: bare 1.00 s, full 2.00 s', 'a delete: bare 3.00 s'],
            rally.table({
                'bare': {'seconds': {'a': {'create': 1.0, 'delete': 3.0}}},
                'full': {'seconds': {'a': {'create': 2.0}}}}))
        self.assertEqual([], rally.table({'bare': {'found': {}}}))
