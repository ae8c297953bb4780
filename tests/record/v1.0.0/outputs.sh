# Writes what `list`, `rank`, `explain` and `replay --plain` of version 1.0.0 print of each record.
referee=${1:-referee}
export COLUMNS=80
outputs() { # outputs RECORD PLAYER GAME
    local name=${1%%.*}
    $referee list "$1" > "$name.list"
    $referee rank "$1" > "$name.rank"
    $referee explain "$1" --player "$2" > "$name.explain"
    $referee replay "$1" --game "$3" --plain --delay 1ms > "$name.replay"
}
for name in classic salvo twist board swiss knockout withdrawn; do
    outputs $name.jsonl awful 1
done
outputs compressed.jsonl.zst awful 1
outputs forfeits.jsonl junk 5
outputs disqualified.jsonl crash 3
outputs comments.jsonl talk 1
outputs interrupted.jsonl row 1
outputs play.jsonl mediocre 2
