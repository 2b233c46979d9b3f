# SPDX-License-Identifier: Apache-2.0

"""Programs that use libraries as their users do.

``PROGRAM OPERATION NAME TEMPLATE PARAMETERS``, the last as JSON. The exit
status is not 0 if the library reports in any way that the operation failed.
The program prints the text that a user reads.
"""
