# SPDX-License-Identifier: Apache-2.0

"""The list of locks, and the IDs of locks in requests."""
