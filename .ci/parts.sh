# What `.ci/run` and `.ci/check-release` share, which read it with `source`: they run parts, each a function of theirs, one after
# another in processes of their own, so that a failed one leaves the others alone, and print a table.

# With this a test whose tool is missing fails; without it the test would be left out.
export CI="${CI:-true}"
# Nothing is built a second time here.
export CARGO_INCREMENTAL=0

# The programs beside the core, and what makes releases.
beside=(--package xtask --package referee-class --package referee-cluster --package referee-wasm --package referee-web)

run_parts() { # run_parts INSTALL PART ...: after the command INSTALL
    local install="$1" part results began result
    shift
    if [ -n "${CI_PART:-}" ]; then
        "$1"
        return
    fi
    $install
    # Not in target/, which cargo marks as built only if it makes it: unmarked, all that is in there would belong to the tests' bots.
    results=$(mktemp)
    for part in "$@"; do
        began=$SECONDS result=passed
        printf '== %s\n' "$part"
        CI_PART=1 "$0" "$part" || result=FAILED
        printf '%-9s %5d s  %s\n' "$part" $((SECONDS - began)) "$result" >>"$results"
    done
    printf '== %d s in all\n' "$SECONDS"
    cat "$results"
    ! grep -q FAILED "$results"
}
