# SPDX-License-Identifier: Apache-2.0

"""The commands that come with heat-extras."""

from heat_extras.terminal import notices

# Before any of them imports Heat.
notices.hide()
