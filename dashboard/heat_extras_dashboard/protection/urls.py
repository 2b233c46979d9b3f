# SPDX-License-Identifier: Apache-2.0

"""The URLs of locks and delete protection."""

from django.urls import path

from heat_extras_dashboard.protection import views

urlpatterns = [
    path('', views.LocksView.as_view(), name='index'),
    path('deletion', views.ProtectedView.as_view(), name='deletion'),
    path('lock', views.LockView.as_view(), name='lock'),
    path('extend', views.ExtendView.as_view(), name='extend'),
    path('pass', views.PassView.as_view(), name='pass'),
    path('protect', views.ProtectView.as_view(), name='protect'),
]
