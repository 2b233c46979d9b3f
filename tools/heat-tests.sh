#!/usr/bin/env bash
# Run the unit tests of the installed Heat with every feature of heat-extras
# on. A test that fails is run once more (some of Heat's fail now and then on
# a busy machine, which is told), and then on bare Heat: only what fails
# because of us is a failure. Arguments go to "stestr run".
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
site=$(python -c 'import heat, os; print(os.path.dirname(os.path.dirname(
    heat.__file__)))' 2>/dev/null)
prefix=$(python -c 'import sys; print(sys.prefix)')
export PYTHONWARNINGS=ignore
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Heat's tests look for etc/heat beside the package.
[[ -e $site/etc ]] || ln -s "$prefix/etc" "$site/etc"

cat >"$work/.stestr.conf" <<CONF
[DEFAULT]
test_path=$site/heat/tests
top_dir=$site
CONF
cd "$work"

function run {
    stestr run --concurrency "${HEAT_TESTS_CONCURRENCY:-2}" "$@"
}

function failures {
    sed -nE 's/^\{[0-9]+\} (.*) \[[0-9.]+s\] \.\.\. FAILED$/\1/p' "$1" | sort -u
}

function total {
    awk -F ': ' -v label=" - $1" '$1 == label { print $2 }' "$work/log" |
        tail -n 1
}

function run_with_us {
    HEAT_EXTRAS_TEST_FEATURES=all PYTHONPATH=$here/heat_tests run "$@"
}

# Of the classes of these tests, a regular expression: names of scenarios are
# none.
function classes {
    echo "^($(sed -E 's/\.[^.]*$//' "$1" | sort -u | sed 's/\./\\./g' |
        paste -s -d '|'))\\."
}

run_with_us --exclude-list "$here/heat_tests/known-exceptions.txt" "$@" \
    >"$work/log" 2>&1 || true
if [[ -z $(total Passed) ]]; then
    tail -n 40 "$work/log"
    echo "Heat's tests did not run."
    exit 1
fi

failures "$work/log" >"$work/failed"
: >"$work/again"
: >"$work/bare"
if [[ -s $work/failed ]]; then
    run_with_us "$(classes "$work/failed")" >"$work/again" 2>&1 || true
    run "$(classes "$work/failed")" >"$work/bare" 2>&1 || true
fi
comm -12 "$work/failed" <(failures "$work/again") >"$work/failing"
comm -12 "$work/failing" <(failures "$work/bare") >"$work/failing-bare"
comm -23 "$work/failing" "$work/failing-bare" >"$work/ours"

comm -23 "$work/failed" "$work/failing" | sed 's/^/Failed once only: /'
sed 's/^/Fails because of heat-extras: /' "$work/ours"
echo "Totals"
echo " - Passed: $(total Passed)"
echo " - Skipped: $(total Skipped)"
echo " - Failed once only: $(comm -23 "$work/failed" "$work/failing" | wc -l)"
echo " - Fail on bare Heat, too: $(wc -l <"$work/failing-bare")"
echo " - Failed: $(wc -l <"$work/ours")"
[[ ! -s $work/ours ]]
