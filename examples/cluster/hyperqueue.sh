#!/bin/sh
# Plays a match or tournament as a task array of HyperQueue, then merges the records of the shards:
#
#     hyperqueue.sh 64 cup.jsonl tournament good 'python3 "my bot.py"' --games 20000 --seed 7
#
# The same command continues after an interruption. The server and its workers have to run.
set -eu
if [ "${1:-}" = --task ]; then # One task of the array.
    dir=$2 shards=$3 referee=$4 command=$5
    shift 5
    exec "$referee" "$command" --shard "$HQ_TASK_ID/$shards" --jobs 1 --resume --out "$dir/$HQ_TASK_ID.jsonl" "$@" \
        >>"$dir/$HQ_TASK_ID.log" 2>&1
fi
trap 'exit 130' INT # Ctrl-C ends this script, too, not only the command that it waits for.
fail() { echo "hyperqueue.sh: $1" >&2; exit 1; }
[ $# -gt 2 ] && [ "$1" -gt 0 ] 2>/dev/null || fail 'usage: hyperqueue.sh SHARDS OUT CONTEST...; the script begins with an example'
shards=$1 out=$2 dir=$2.shards
shift 2
case " $*" in *' --seed '* | *' --seed='*) ;; *) fail 'add --seed N: all shards need the same seed' ;; esac
referee=$(command -v referee) || fail 'the PATH has no referee'
# The folder of the shards belongs to one contest.
contest=$(printf '%s\n' "$shards" "$@")
[ -d "$dir" ] || { [ ! -e "$out" ] || fail "$out exists"; mkdir "$dir"; printf "%s\n" "$contest" >"$dir/contest"; }
[ "$contest" = "$(cat "$dir/contest")" ] || fail "$dir has another contest: choose another OUT, or delete the folder"
missing() { # Prints the numbers of the shards to play, with commas: all if the records cannot be merged yet.
    { "$referee" merge --missing "$dir"/*.jsonl 2>"$dir/merge.log" || seq "$shards"; } | sed 's,.* \(.*\)/.*,\1,' | paste -sd , -
}
series() { cat "$dir"/*.jsonl 2>/dev/null | grep -c '"battleship-series"' || :; }
# Wait for a job that an interrupted run of this command has left.
name=referee-$(echo "$PWD/$dir" | cksum | cut -d ' ' -f 1)
while hq --output-mode json job list | grep -q "\"$name\""; do sleep 10; done
while todo=$(missing) && [ -n "$todo" ]; do
    before=$(series)
    # A failed task shows in the records. Two tasks of one worker need different cores, hence --pin.
    hq submit --wait --name "$name" --array "$todo" --pin taskset --crash-limit 20 --stdout none --stderr none \
        -- /bin/sh "$0" --task "$dir" "$shards" "$referee" "$@" || :
    [ "$(series)" -gt "$before" ] || fail "no shard has added a series; see the logs in $dir"
done
"$referee" merge --force --out "$out" "$dir"/*.jsonl
