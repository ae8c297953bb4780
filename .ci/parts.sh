# What `.ci/run` and `.ci/check-release` share, which read it with `source`: they run parts, each a function of theirs, one after
# another in processes of their own, so that a failed one leaves the others alone, and print a table of their times.

# With this a test whose tool is missing fails; without it the test would be left out.
export CI="${CI:-true}"
# Nothing is built a second time here.
export CARGO_INCREMENTAL=0

# The programs beside the core, and what makes releases.
beside=(--package xtask --package referee-class --package referee-cluster --package referee-wasm --package referee-web)

# The seconds that a part may take on two quiet cores, by the clock and of processors: `budget_PART="WALL PROCESSOR"`. Neighbours on
# a machine change the first and hardly the second, so a part fails if it takes half as much processor time again.
budgeted() { # budgeted PART: runs the part, writes a row of the table, and is its result
    local result=passed real user sys times=$(mktemp) budget="budget_$1" wall processor
    read -r wall processor <<<"${!budget:-0 0}"
    # The times are of the part and of all that it has waited for.
    TIMEFORMAT='%0R %0U %0S'
    { time CI_PART=1 "$0" "$1" 2>&3; } 3>&2 2>"$times" || result=FAILED
    read -r real user sys <"$times"
    if [ "$processor" != 0 ] && [ $((2 * (user + sys))) -gt $((3 * processor)) ]; then
        result="FAILED: more than half again over its budget"
    fi
    printf '%-9s %5d s of %4d   %5d of %4d   %s\n' "$1" "$real" "$wall" $((user + sys)) "$processor" "$result" >>"$results"
}

run_parts() { # run_parts INSTALL PART ...: after the command INSTALL
    local install="$1" part
    shift
    if [ -n "${CI_PART:-}" ]; then
        "$1"
        return
    fi
    $install
    # Not in target/, which cargo marks as built only if it makes it: unmarked, all that is in there would belong to the tests' bots.
    results=$(mktemp)
    printf '%-9s %15s   %14s\n' part "by the clock" "of processors" >"$results"
    for part in "$@"; do
        printf '== %s\n' "$part"
        budgeted "$part"
    done
    printf '== %d s in all\n' "$SECONDS"
    cat "$results"
    ! grep -q FAILED "$results"
}
