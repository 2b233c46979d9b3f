# SPDX-License-Identifier: Apache-2.0

"""Lock passes: one update of one user is allowed in spite of a lock."""
