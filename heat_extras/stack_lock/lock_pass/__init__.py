# SPDX-License-Identifier: Apache-2.0

"""Lock passes, which allow one update of a locked stack by one user."""
