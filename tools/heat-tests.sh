#!/usr/bin/env bash
# Run the unit tests of the installed Heat with every feature of heat-extras
# on. A test that fails is run again on bare Heat: only what fails because of
# us is a failure. Arguments go to "stestr run".
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
site=$(python -c 'import heat, os; print(os.path.dirname(os.path.dirname(
    heat.__file__)))' 2>/dev/null)
prefix=$(python -c 'import sys; print(sys.prefix)')
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

status=0
HEAT_EXTRAS_TEST_FEATURES=all PYTHONPATH=$here/heat_tests PYTHONWARNINGS=ignore \
    stestr run --concurrency "${HEAT_TESTS_CONCURRENCY:-2}" \
    --exclude-list "$here/heat_tests/known-exceptions.txt" "$@" \
    >"$work/log" 2>&1 || status=$?

grep -E '^\{[0-9]+\} .* FAILED$' "$work/log" || true
sed -n '/^Totals$/,/^Sum of execute time/p' "$work/log"
[[ $status -ne 0 ]] || exit 0

# Its exit status says that there are failures.
stestr failing --list >"$work/failing" 2>/dev/null || true
if [[ ! -s $work/failing ]]; then
    tail -n 40 "$work/log"
    exit "$status"
fi
echo "Once more on bare Heat: $(wc -l <"$work/failing") tests"
PYTHONWARNINGS=ignore stestr run --serial --load-list "$work/failing" \
    >"$work/bare" 2>&1 || true
sed -nE 's/^\{[0-9]+\} (.*) \[[0-9.]+s\] \.\.\. ok$/Fails because of heat-extras: \1/p' \
    "$work/bare" | tee "$work/ours"
[[ ! -s $work/ours ]] || exit 1
echo "All of them fail on bare Heat, too."
