# SPDX-License-Identifier: Apache-2.0

"""Where the administrator's view is."""

from django.urls import path

from heat_extras_dashboard.oversight import views

urlpatterns = [path('', views.OversightView.as_view(), name='index')]
