# SPDX-License-Identifier: Apache-2.0

"""Check that reads are consistent on all nodes of a database cluster."""

from oslo_upgradecheck import upgradecheck
import sqlalchemy

# The bit of wsrep_sync_wait with which a read waits for all commits of the
# other nodes.
_SYNC_READS = 1
_OPTION = 'mysql_wsrep_sync_wait'


def check_cluster(conf, engine):
    """Check that reads wait for other nodes of a Galera cluster.

    Heat needs it if engines use several nodes. This cannot be found out here,
    so the result is only a warning.
    """
    variables = _read_variables(engine)
    if (variables.get('wsrep_on') != 'ON'
            or variables.get('wsrep_provider', 'none') == 'none'):
        return upgradecheck.Result(upgradecheck.Code.SUCCESS,
                                   'Not a node of a Galera cluster.')
    # oslo.db has the option since 12.1.
    configured = getattr(conf.database, _OPTION, None)
    value = (int(variables.get('wsrep_sync_wait', 0)) if configured is None
             else configured)
    if value & _SYNC_READS:
        return upgradecheck.Result(
            upgradecheck.Code.SUCCESS,
            'Reads wait for commits of the other nodes: wsrep_sync_wait is '
            '%d.' % value)
    return upgradecheck.Result(
        upgradecheck.Code.WARNING,
        'wsrep_sync_wait is %d on a Galera cluster, but must be 1 unless all '
        'engines use the same node, for example behind a proxy with one '
        'writer. With several nodes, an engine can read a row before the '
        "write of another engine reaches its node. Heat's own operations "
        'then get stuck, and a stack can be shown without its lock. Set '
        '[database] %s = 1 in heat.conf on all hosts and restart the '
        'engines, or set wsrep_sync_wait = 1 on all nodes.'
        % (value, _OPTION))


def _read_variables(engine):
    if engine.dialect.name not in ('mysql', 'mariadb'):
        return {}
    with engine.connect() as connection:
        return {name: value for name, value in connection.execute(
            sqlalchemy.text("SHOW GLOBAL VARIABLES LIKE 'wsrep%'"))}
