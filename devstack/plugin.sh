#!/usr/bin/env bash
# DevStack plugin: dispatches DevStack's phases to the functions of
# lib/heat-extras. In local.conf, after the line that enables heat:
#
#   enable_plugin heat-extras <repository>

HEAT_EXTRAS_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# shellcheck source=devstack/lib/heat-extras
source "$HEAT_EXTRAS_DIR/devstack/lib/heat-extras"
# shellcheck source=devstack/lib/heat-extras-dashboard
source "$HEAT_EXTRAS_DIR/devstack/lib/heat-extras-dashboard"

if is_service_enabled h-eng h-api h-api-cfn; then
    if [[ "$1" == "stack" && "$2" == "install" ]]; then
        echo_summary "Installing heat-extras"
        install_heat_extras
    elif [[ "$1" == "stack" && "$2" == "extra" ]]; then
        echo_summary "Turning heat-extras on"
        sync_heat_extras_database
        configure_heat_extras
        restart_heat_services
    elif [[ "$1" == "unstack" ]]; then
        unconfigure_heat_extras
    elif [[ "$1" == "clean" ]]; then
        unconfigure_heat_extras
        cleanup_heat_extras
    fi
fi

if is_service_enabled horizon; then
    if [[ "$1" == "stack" && "$2" == "install" ]]; then
        echo_summary "Installing heat-extras-dashboard"
        install_heat_extras_dashboard
    elif [[ "$1" == "stack" && "$2" == "post-config" ]]; then
        enable_heat_extras_dashboard
    elif [[ "$1" == "unstack" ]]; then
        disable_heat_extras_dashboard
    elif [[ "$1" == "clean" ]]; then
        disable_heat_extras_dashboard
        cleanup_heat_extras_dashboard
    fi
fi
