# SPDX-License-Identifier: Apache-2.0

"""The URLs of the panel of stacks: heat-dashboard's, with views of ours."""

from django.urls import re_path
from heat_dashboard.content.stacks import urls

from heat_extras_dashboard.stacks import views
from heat_extras_dashboard import takeover

_OURS = dict(zip(takeover.REPLACED, (
    views.IndexView, views.DetailView, views.ChangeTemplateView,
    views.EditStackView), strict=True))


def _pattern(theirs):
    if theirs.name not in _OURS:
        return theirs
    return re_path(theirs.pattern.regex.pattern,
                   _OURS[theirs.name].as_view(), name=theirs.name)


urlpatterns = [_pattern(each) for each in urls.urlpatterns]
