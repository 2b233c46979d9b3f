# SPDX-License-Identifier: Apache-2.0

"""The table of locks and their IDs, and the list of locks."""
