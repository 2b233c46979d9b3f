# SPDX-License-Identifier: Apache-2.0

"""The stack parameters of the VNF; this runs in Tacker's environment."""

from tacker.sol_refactored.common import common_script_utils
from tacker.sol_refactored.infra_drivers.openstack import userdata_default
import yaml


class Web(userdata_default.DefaultUserData):
    """A VNF whose stack parameter is set by additionalParams."""

    @staticmethod
    def instantiate(req, inst, grant_req, grant, tmp_csar_dir):
        template = common_script_utils.get_vnfd(
            inst['vnfdId'], tmp_csar_dir).get_base_hot(
            req['flavourId'])['template']
        return {'template': yaml.safe_dump(template), 'files': {},
                **_parameters(req)}

    @staticmethod
    def scale(req, inst, grant_req, grant, tmp_csar_dir):
        return _parameters(req)

    @staticmethod
    def heal(req, inst, grant_req, grant, tmp_csar_dir):
        return _parameters(req)


def _parameters(req):
    return {'parameters': {'nfv': {'VDU': {
        'web': req['additionalParams']['web']}}}}
