# SPDX-License-Identifier: Apache-2.0

"""The URL of the locks of all projects."""

from django.urls import path

from heat_extras_dashboard.admin_locks import views

urlpatterns = [path('', views.AdminLocksView.as_view(), name='index')]
