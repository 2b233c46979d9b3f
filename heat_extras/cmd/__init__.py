# SPDX-License-Identifier: Apache-2.0

"""The commands of heat-extras."""

import warnings

# Before a command imports Heat, or a library that imports eventlet.
warnings.filterwarnings('ignore', message=r'\s*Eventlet is deprecated')
