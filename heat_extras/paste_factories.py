# SPDX-License-Identifier: Apache-2.0

"""How the API services come to heat-extras: paste factories.

A filter in Heat's own api-paste.ini, or a composite in the paste file that
heat-extras ships. Either way the patches are in force before Heat's
application is made, and an API that cannot apply them does not start.
"""

from oslo_config import cfg
from oslo_log import log as logging
from paste import deploy

from heat_extras import missing_dependency
from heat_extras import paste_ini

LOG = logging.getLogger(__name__)


def filter_factory(global_conf, **local_conf):
    """Apply the patches; the filter itself passes every request through."""
    _activate()
    return lambda application: application


def composite_factory(loader, global_conf, app, heat_paste_config=None):
    """Apply the patches, then load Heat's own application.

    :param app: the name of the application in Heat's paste file.
    :param heat_paste_config: the path of Heat's paste file; by default it is
        searched as Heat does, then beside the Python environment.
    :raises ActivationError: when there is no such file.
    """
    _activate()
    return deploy.loadapp(
        f'config:{paste_ini.find_heats(cfg.CONF, heat_paste_config)}',
        name=app)


def _activate():
    try:
        # Here, where what is not installed is told, too.
        from heat_extras import activation
        activation.activate(cfg.CONF, activation.API)
        return
    except Exception as error:
        cause = error
    # WSGI servers show a traceback, each in a place of its own; this is for
    # whoever looks into Heat's log. Not in the except clause, where oslo.log
    # repeats the error in the line.
    LOG.critical('heat-extras: this API is not started: %s',
                 missing_dependency.describe(cause, missing_dependency.ENGINE)
                 if isinstance(cause, ImportError) else cause)
    raise cause
