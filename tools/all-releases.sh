#!/usr/bin/env bash
# Run the unit and functional tests, and Heat's own, on every release of Heat
# that heat-extras supports. What to run comes from the environment:
#
#   RELEASES="25.0 26.0" JOBS="py3 heat-tests services" tools/all-releases.sh
#
# py310 to py313 stand for a Python where py3 stands for the default one.
# Arguments go to tox. The table at the end says what passed.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

RELEASES=${RELEASES:-"24.1 25.0 26.0 27.0"}
JOBS=${JOBS:-"py3 heat-tests"}
TABLE=
FAILED=0

for release in $RELEASES; do
    for job in $JOBS; do
        environment=$job-heat$release
        echo "== $environment"
        if tox run -e "$environment" "$@"; then
            result=passed
        else
            result=FAILED
            FAILED=1
        fi
        TABLE+=$(printf '%-24s %s' "$environment" "$result")$'\n'
    done
done

echo
echo -n "$TABLE"
exit $FAILED
