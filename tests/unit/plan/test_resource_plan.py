# SPDX-License-Identifier: Apache-2.0

"""Tests of the prediction of resource changes."""

import importlib
import inspect
import pkgutil
from unittest import mock

from heat.engine import resource
from heat.engine import resources
import testtools

from heat_extras.plan import change
from heat_extras.plan import resource_plan


class PredictTest(testtools.TestCase):

    def predict(self, *known, is_certain=True):
        """Predict a change, if it is known whether the resource is enabled."""
        plan = mock.Mock(**{
            'exists.return_value': True,
            'is_enabled_for_certain.return_value': is_certain})
        with mock.patch.object(resource_plan, '_predict_known',
                               side_effect=known):
            return resource_plan.predict(plan, 'a')

    def test_failed_prediction_is_uncertain(self):
        predicted = self.predict(ValueError('why'))
        self.assertFalse(predicted.is_certain)
        self.assertNotEqual(change.UNCHANGED, predicted.action)
        self.assertFalse(predicted.keeps_id)

    def test_resource_with_uncertain_condition_is_uncertain(self):
        for action in (change.UNCHANGED, change.UPDATE, change.REMOVE):
            predicted = self.predict(change.Change(action), is_certain=False)
            self.assertFalse(predicted.is_certain)
            self.assertNotEqual(change.UNCHANGED, predicted.action)


class IsChangedTest(testtools.TestCase):
    def test_missing_required_property_is_a_change(self):
        # Heat's validation reports it later.
        resource = mock.Mock(**{
            'update_template_diff.return_value': {},
            'needs_replace_with_tmpl_diff.return_value': False,
            'update_template_diff_properties.side_effect':
                ValueError('Property Foo not assigned')})
        self.assertTrue(resource_plan.is_changed(resource, *[mock.Mock()] * 4))


class PropertiesTest(testtools.TestCase):

    def test_reads_of_unknown_property_are_recorded(self):
        properties = resource_plan._WatchedProperties({'a': 1, 'b': 2}, ['b'])
        for read, is_seen in ((lambda: properties['a'], False),
                              (lambda: properties.get('b'), True),
                              (lambda: 'b' in list(properties), False),
                              (lambda: dict(properties), True)):
            properties.is_queried = False
            read()
            self.assertEqual(is_seen, properties.is_queried)


# How Heat asks a type whether it must be replaced or updated.
_HOOKS = ('needs_replace', 'needs_replace_failed', '_needs_update',
          'needs_replace_with_prop_diff', 'needs_replace_with_tmpl_diff',
          'preview_update', 'update_template_diff', 'calc_update_allowed',
          'update_template_diff_properties', '_prepare_update_props',
          'check_is_substituted', 'get_live_state', 'update')

# The plan calls the method, as Heat does.
_ASKED = 'predicted'
# The same. If a property is not known, the bound is a replacement.
_BOUND = 'predicted, or may be replaced'
# The method asks the service. If it cannot be reached, the plan is unknown.
_SERVICE = 'predicted by the service, or unknown'
_LIMIT = 'not predicted, see the limitations in reference/plans.rst'
_DECISIONS = {
    'CinderVolume.needs_replace_failed': _SERVICE,
    'CronTrigger.get_live_state': _LIMIT,
    'ElasticIpAssociation.needs_replace_with_prop_diff': _BOUND,
    'LaunchConfiguration.needs_replace_with_tmpl_diff': _BOUND,
    'MistralExternalResource._needs_update': _BOUND,
    'NeutronResource.needs_replace_failed': _SERVICE,
    'NoneResource._needs_update': _ASKED,
    'Port.needs_replace': _BOUND,
    'RemoteStack._needs_update': _BOUND,
    'RemoteStack.needs_replace_with_prop_diff': _BOUND,
    'Segment.needs_replace_failed': _SERVICE,
    'Server.needs_replace_failed': _SERVICE,
    'Server.needs_replace_with_prop_diff': _BOUND,
    'ServerGroup.needs_replace_failed': _SERVICE,
    # By the module resource_types.
    'SoftwareDeployment.handle_update': _BOUND,
    # The stacks inside decide (the module nested_plan).
    'StackResource._needs_update': _ASKED,
    # If the row of the nested stack is deleted, the plan is unknown.
    'StackResource.update_with_template': _LIMIT,
    'TestResource.needs_replace_with_prop_diff': _BOUND,
    'UpdateWaitConditionHandle._needs_update': _ASKED,
    'Workflow.needs_replace_failed': _SERVICE,
}


def _find_decisions():
    """Return the methods of all types that decide about a replacement."""
    for each in pkgutil.walk_packages(resources.__path__,
                                      resources.__name__ + '.'):
        module = importlib.import_module(each.name)
        for kind in getattr(module, 'resource_mapping', dict)().values():
            for base in kind.__mro__[:kind.__mro__.index(resource.Resource)]:
                yield from _decisions_of(base)


def _decisions_of(kind):
    for name, method in vars(kind).items():
        method = getattr(method, '__func__', method)
        if inspect.isfunction(method) and (
                name in _HOOKS
                or 'UpdateReplace' in method.__code__.co_names):
            yield f'{kind.__name__}.{name}'


class DecisionsTest(testtools.TestCase):
    """Tests that no type of Heat decides in a way that plans do not know."""

    def test_decisions_of_all_types_are_known(self):
        self.assertEqual(set(_DECISIONS), {*_find_decisions()})

    def test_requests_for_replacement_are_bounds(self):
        class Asking(resource.Resource):
            def handle_update(self, json_snippet, tmpl_diff, prop_diff):
                raise resource.UpdateReplace(self)

        class Inherited(Asking):
            def handle_update(self, json_snippet, tmpl_diff, prop_diff):
                super().handle_update(json_snippet, tmpl_diff, prop_diff)

        for kind, wanted in ((Asking, True), (Inherited, True),
                             (resource.Resource, False)):
            self.assertIs(wanted, resource_plan._may_ask_for_replacement(kind))

    def test_types_that_set_another_id(self):
        found = {kind.__name__ for each in pkgutil.walk_packages(
                     resources.__path__, resources.__name__ + '.')
                 for kind in getattr(importlib.import_module(each.name),
                                     'resource_mapping', dict)().values()
                 if 'resource_id_set' in resource_plan.late_names(kind)}
        self.assertLessEqual({'CinderVolumeAttachment', 'Workflow'}, found)
        self.assertNotIn('TestResource', found)
