#!/usr/bin/env bash
# Run phases of DevStack: run.sh FUNCTIONS PLUGIN_DIR "PHASE" ...
# HEAT_CONF, HEAT_BIN_DIR, ENABLED_SERVICES and settings come in the
# environment. What would change this machine is written down instead.
# shellcheck disable=SC1090,SC2034,SC2154

TOP_DIR=$(dirname "$1")
source "$1"
# As stack.sh runs its phases.
set -o errexit

GITDIR[heat-extras]=$2
DEVSTACK_PLUGINS=heat-extras
DATABASE_BACKENDS="mysql postgresql"
shift 2

function echo_summary {
    :
}

function setup_develop {
    echo "setup_develop $*"
}

function pip_uninstall {
    echo "pip_uninstall $1"
}

function restart_service {
    echo "restart_service $1"
}

function verify_disabled_services {
    :
}

run_phase source
for phase in "$@"; do
    # shellcheck disable=SC2086
    run_phase $phase
done
