# SPDX-License-Identifier: Apache-2.0

"""The URLs of the panel of stacks: heat-dashboard's, with views of ours."""

from django.urls import re_path
from heat_dashboard.content.stacks import urls

from heat_extras_dashboard import heat_dashboard_patch
from heat_extras_dashboard.stacks import views

_OURS = dict(zip(heat_dashboard_patch.REPLACED, (
    views.IndexView, views.DetailView, views.ChangeTemplateView,
    views.EditStackView), strict=True))


def _pattern(theirs):
    if theirs.name not in _OURS:
        return theirs
    return re_path(theirs.pattern.regex.pattern,
                   _OURS[theirs.name].as_view(), name=theirs.name)


urlpatterns = [_pattern(each) for each in urls.urlpatterns]
