# What `.ci/run` and `.ci/check-release` share, which read it with `source`: they run parts, each a function of theirs, one after
# another, of which a failed one leaves the others alone.

# With this a test whose tool is missing fails; without it the test would be left out.
export CI="${CI:-true}"
# Nothing is built a second time here.
export CARGO_INCREMENTAL=0

# The programs beside the core, and what makes releases.
beside=(--package xtask --package referee-class --package referee-wasm --package referee-web)

# Runs the parts that are named, or all of `parts`, after the command INSTALL; prints a table of their times.
#
# `budget_PART="WALL PROCESSOR"` has the seconds that a part may take on two quiet cores, by the clock and of processors. Neighbours
# on a machine change the first and hardly the second, so a part fails if it takes half as much processor time again.
run_parts() { # run_parts INSTALL [PART ...]
    local part wall processor real user sys result budget all="${parts[*]}" times table
    times=$(mktemp) table=$(mktemp)
    for part in "${@:2}"; do
        case " $all " in
            *" $part "*) ;;
            *) echo "no part is called $part; the parts are $all" >&2; exit 2 ;;
        esac
    done
    [ $# = 1 ] || parts=("${@:2}")
    if [ -n "${CI_PART:-}" ]; then
        "$2"
        exit
    fi
    $1
    TIMEFORMAT='%0R %0U %0S'
    for part in "${parts[@]}"; do
        printf '== %s\n' "$part"
        # In a process of its own the first command that fails ends a part.
        result=passed
        { time CI_PART=1 "$0" "$part" 2>&3; } 3>&2 2>"$times" || result=FAILED
        budget="budget_$part"
        read -r wall processor <<<"${!budget:-0 0}"
        read -r real user sys <"$times"
        if [ "$processor" != 0 ] && [ $((2 * (user + sys))) -gt $((3 * processor)) ]; then
            result="FAILED: more than half again over its budget"
        fi
        printf "%-9s %5d s of %4d   %5d of %4d   %s\n" "$part" "$real" "$wall" $((user + sys)) "$processor" "$result" >>"$table"
    done
    printf "== %d s in all\n%-9s %15s   %14s\n" "$SECONDS" part "by the clock" "of processors"
    cat "$table"
    ! grep -q FAILED "$table"
}
