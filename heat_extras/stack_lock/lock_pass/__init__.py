# SPDX-License-Identifier: Apache-2.0

"""Passes: one update of one user goes through a lock."""
