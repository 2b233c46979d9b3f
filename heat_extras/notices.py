# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Notices of libraries that nobody who runs heat-extras can act upon."""

import warnings


def hide():
    """Keep eventlet's notice of its deprecation away from standard error.

    Heat 24 brings it up, futurist under any Heat, and wherever an older
    library still imports eventlet. Call this before they are imported.
    """
    warnings.filterwarnings('ignore', message=r'\s*Eventlet is deprecated')
