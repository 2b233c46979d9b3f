# SPDX-License-Identifier: Apache-2.0

"""The URLs of the panel of stacks, with the replaced views."""

from django.urls import re_path
from heat_dashboard.content.stacks import urls

from heat_extras_dashboard import heat_dashboard_patch
from heat_extras_dashboard.stacks import views

_REPLACED = dict(zip(heat_dashboard_patch.REPLACED, (
    views.IndexView, views.DetailView, views.ChangeTemplateView,
    views.EditStackView), strict=True))


def _pattern(original):
    if original.name not in _REPLACED:
        return original
    return re_path(original.pattern.regex.pattern,
                   _REPLACED[original.name].as_view(), name=original.name)


urlpatterns = [_pattern(each) for each in urls.urlpatterns]
