# SPDX-License-Identifier: Apache-2.0

"""Locks have ids: requests name them, and lists are made by them."""
