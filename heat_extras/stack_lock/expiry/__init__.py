# SPDX-License-Identifier: Apache-2.0

"""Locks can have an end, at which an engine lifts them."""
