# SPDX-License-Identifier: Apache-2.0

"""The commands that come with heat-extras."""

import warnings

# Before any of them imports Heat, or a library that imports eventlet.
warnings.filterwarnings('ignore', message=r'\s*Eventlet is deprecated')
