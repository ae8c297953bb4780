#!/usr/bin/env bash
# Plays a match or tournament with GNU parallel, then merges the records of the shards:
#
#     parallel.sh 64 cup.jsonl tournament good 'python3 "my bot.py"' --games 20000 --seed 7
#
# The same command continues after an interruption. The variable PARALLEL has options of parallel, such as
# "--sshloginfile nodes --workdir ." for other machines, which need this folder at the same path.
set -eu
trap 'exit 130' INT # Ctrl-C ends this script, too, not only the command that it waits for.
fail() { echo "parallel.sh: $1" >&2; exit 1; }
[ $# -gt 2 ] && [ "$1" -gt 0 ] 2>/dev/null || fail 'usage: parallel.sh SHARDS OUT CONTEST...; the script begins with an example'
shards=$1 out=$2 dir=$2.shards command=$3
shift 3
case " $*" in *' --seed '* | *' --seed='*) ;; *) fail 'add --seed N: all shards need the same seed' ;; esac
referee=$(command -v referee) || fail 'the PATH has no referee'
# The folder of the shards belongs to one contest.
contest=$(printf '%s\n' "$shards" "$command" "$@")
[ -d "$dir" ] || { [ ! -e "$out" ] || fail "$out exists"; mkdir "$dir"; printf "%s\n" "$contest" >"$dir/contest"; }
[ "$contest" = "$(cat "$dir/contest")" ] || fail "$dir has another contest: choose another OUT, or delete the folder"
missing() { # Prints the numbers of the shards to play: all if the records cannot be merged yet.
    { "$referee" merge --missing "$dir"/*.jsonl 2>"$dir/merge.log" || seq "$shards"; } | sed 's,.* \(.*\)/.*,\1,'
}
series() { cat "$dir"/*.jsonl 2>/dev/null | grep -c '"battleship-series"' || :; }
while todo=$(missing) && [ -n "$todo" ]; do
    before=$(series)
    for shard in $todo; do # One line of the input of parallel is one command.
        printf '%q ' "$referee" "$command" --shard "$shard/$shards" --jobs 1 --resume --out "$dir/$shard.jsonl" "$@"
        printf '>>%q 2>&1\n' "$dir/$shard.log"
    done | parallel || : # A failed command shows in the records.
    [ "$(series)" -gt "$before" ] || fail "no shard has added a series; see the logs in $dir"
done
"$referee" merge --force --out "$out" "$dir"/*.jsonl
