# SPDX-License-Identifier: Apache-2.0

"""Programs that use libraries as their users do.

``PROGRAM OPERATION NAME TEMPLATE PARAMETERS``, the last as JSON. The exit
status is not 0 where the library says, by whatever way it has, that the
operation failed; what a user reads is printed.
"""
