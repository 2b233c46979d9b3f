# SPDX-License-Identifier: Apache-2.0

"""Tests with released software that operates on stacks."""
