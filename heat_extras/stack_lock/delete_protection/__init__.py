# SPDX-License-Identifier: Apache-2.0

"""Protection of stack trees from deletion, independent of the lock."""
