# SPDX-License-Identifier: Apache-2.0

"""Faults of the nodes of a database cluster, one node at a time.

If two of three nodes are unavailable, the cluster has no quorum. If two nodes
were killed, an operator must restore the quorum. Therefore, only faults that
the cluster recovers from by itself are injected at the same time.
"""

import pymysql

from tests.fault_injection import faults

# The other nodes remove a node from the cluster after five seconds.
_GONE_SECONDS = 8
# Nodes notice a lost quorum after the same time.
_LOST_SECONDS = 12
_OF_ONE_SERVER = ('database restarted', 'disk of the database full')


class Faults(faults.Faults):
    """Faults of a Galera cluster, where each engine uses a separate node.

    :param server: a :class:`tests.harness.services.galera.Galera`.
    """

    def __init__(self, cloud, server, seed):
        super().__init__(cloud, server, seed)
        self._is_well = True

    def _cut_connections(self):
        for node in self._server.nodes:
            try:
                node.cut_connections()
            except pymysql.err.MySQLError:
                # The node itself is unavailable.
                continue
        yield 0

    def _one(self, harm, mend, seconds):
        """Inject a fault into a node, unless another node is unavailable."""
        node = self._random.choice(self._server.nodes)
        yield from self._several([node], harm, mend, seconds)

    def _several(self, nodes, harm, mend, seconds):
        if not self._is_well:
            yield 0
            return
        self._is_well = False
        # Engines that cannot report during this time are considered down.
        self.struck |= {each.pid for each in self._cloud.engines.values()}
        for node in nodes:
            harm(node)
        yield seconds
        for node in nodes:
            mend(node)
        for node in self._server.nodes:
            node.wait_until_synced()
        self._is_well = True

    def _restart_node(self):
        return self._one(lambda node: node.stop(),
                         lambda node: node.restart(),
                         self._random.uniform(0, faults.AWAY_SECONDS))

    def _kill_node(self):
        return self._one(lambda node: node.kill(),
                         lambda node: node.restart(),
                         self._random.uniform(0, _GONE_SECONDS))

    def _hang_node(self):
        return self._one(lambda node: node.process.pause(),
                         lambda node: node.process.go_on(), _GONE_SECONDS)

    def _cut_node_off(self):
        return self._one(lambda node: node.cut_off(),
                         lambda node: node.reconnect(), _LOST_SECONDS)

    def _lose_quorum(self):
        nodes = self._random.sample(self._server.nodes, 2)
        return self._several(nodes, lambda node: node.cut_off(),
                             lambda node: node.reconnect(), _LOST_SECONDS)

    KINDS = {
        **{name: kind for name, kind in faults.Faults.KINDS.items()
           if name not in _OF_ONE_SERVER},
        'connections cut': _cut_connections,
        'node restarted': _restart_node, 'node killed': _kill_node,
        'node hung': _hang_node, 'node cut off': _cut_node_off,
        'quorum lost': _lose_quorum}
