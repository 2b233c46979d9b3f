# SPDX-License-Identifier: Apache-2.0

"""The attributes of heat-dashboard that this plugin extends or uses.

Horizon has extension points for panels and tabs, but not for the tables and
forms of the panel of another plugin. Therefore, the panel of stacks gets
another URLconf (``Panel.urls``, an attribute that Horizon documents). Four of
its views are subclasses of heat-dashboard's views, and the others stay.
"""

import inspect

from django.core import exceptions
from django.utils import module_loading

URLS = 'heat_extras_dashboard.stacks.urls'
PANEL = 'heat_dashboard.content.stacks.panel.Stacks'
_STACKS = 'heat_dashboard.content.stacks'

# By the name of a class or module: the attributes that this plugin uses or
# overrides. After a colon: the first parameters of the method.
WANTED = {
    PANEL: ('slug', 'urls'),
    f'{_STACKS}.urls.urlpatterns': (),
    f'{_STACKS}.views.IndexView': ('table_class', 'get_data:self'),
    f'{_STACKS}.views.DetailView': (
        'get_context_data:self', 'tab_group_class'),
    f'{_STACKS}.views.ChangeTemplateView': ('get_form_kwargs:self',),
    f'{_STACKS}.views.EditStackView': ('form_class', 'template_name'),
    f'{_STACKS}.forms.EditStackForm': (
        'handle:self,request,data', 'param_prefix'),
    f'{_STACKS}.tabs.StackDetailTabs': ('tabs',),
    f'{_STACKS}.tables.StacksTable': (
        'STACK_STATUS_DISPLAY_CHOICES', 'Meta',
        'get_object_display:self,stack'),
    f'{_STACKS}.tables.StacksUpdateRow': ('get_data:self,request,stack_id',),
    **{f'{_STACKS}.tables.{name}': (
        'action:self,request,stack_id', 'policy_rules')
       for name in ('CheckStack', 'SuspendStack', 'ResumeStack')},
    f'{_STACKS}.tables.DeleteStack': (
        'delete:self,request,stack_id', 'policy_rules'),
    'horizon.tables.BatchAction': (
        '_get_action_name:self', 'action:self,request,datum_id'),
    'horizon.exceptions.SEPARATOR': (),
    'django.contrib.messages.storage.base.BaseStorage': (
        'add:self,level,message',),
    'heat_dashboard.api.heat.heatclient': (),
    'heat_dashboard.api.heat.stacks_list': (),
    'heat_dashboard.api.heat.stack_get': (),
}

# The names of the URLs whose views are replaced.
REPLACED = ('index', 'detail', 'change_template', 'edit_stack')

_ERROR = ('heat-extras-dashboard does not support the installed '
          'heat-dashboard, and has changed nothing: {problem}. Install '
          'compatible releases (see its documentation), or remove its files '
          'from openstack_dashboard/local/enabled.')


def check():
    """Check that the installed heat-dashboard is supported.

    :raises django.core.exceptions.ImproperlyConfigured: with the attribute
        that is not supported, the expected one, and the remedy.
    """
    for name, attributes in WANTED.items():
        owner = _load(name)
        for attribute in attributes:
            _check_attribute(name, owner, *attribute.split(':'))
    urls = _load(PANEL).urls
    if urls not in (None, URLS):
        _fail(f'another plugin has set {PANEL}.urls to {urls}: it must be '
              'None')
    patterns = _load(f'{_STACKS}.urls.urlpatterns')
    names = [pattern.name for pattern in patterns]
    for name in REPLACED:
        if name not in names:
            _fail(f'the panel of stacks has the URLs {sorted(names)}: '
                  f'expected also {name}')


def apply():
    """Set the URLconf of the panel of stacks."""
    _load(PANEL).urls = URLS


def _load(name):
    try:
        return module_loading.import_string(name)
    except ImportError as error:
        _fail(f'{name} is missing ({error}): heat-dashboard 13 to 16 have it')


def _check_attribute(name, owner, attribute, parameters=None):
    value = getattr(owner, attribute, None)
    if not hasattr(owner, attribute):
        _fail(f'{name} has no attribute {attribute}')
    if parameters is None:
        return
    has = list(inspect.signature(value).parameters)
    expected = parameters.split(',')
    if has[:len(expected)] != expected:
        _fail(f'{name}.{attribute}({", ".join(has)}) is not supported: '
              f'expected the parameters {", ".join(expected)}')


def _fail(problem):
    raise exceptions.ImproperlyConfigured(_ERROR.format(problem=problem))
