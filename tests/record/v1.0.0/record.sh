# Plays the contests with version 1.0.0 of the referee, in a folder with row.py.
r=${1:-referee}
board=(--rows 5 --cols 6 --ship '2 R rowboat' --ship '3 S submarine')
$r match awful mediocre --games 8 --series 4 --seed 1 -q --out classic.jsonl
$r match awful mediocre --rules salvo --games 4 --series 2 --seed 2 -q --out salvo.jsonl
$r match awful mediocre --rules twist --games 4 --series 2 --seed 3 --max-turns 40 -q --out twist.jsonl
$r match awful mediocre "${board[@]}" --apart --games 12 --series 4 --seed 4 -q --out board.jsonl
$r tournament awful mediocre a=awful m=mediocre 'r=python3 row.py none 1' --format swiss --rounds 3 "${board[@]}" --games 4 --series 2 --seed 5 -q --out swiss.jsonl
$r tournament awful mediocre a=awful m=mediocre --format knockout "${board[@]}" --games 4 --series 2 --seed 6 -q --out knockout.jsonl
$r tournament 'resign=python3 row.py resign 4' 'junk=python3 row.py junk 5' mediocre "${board[@]}" --games 12 --series 6 --seed 7 -q --out forfeits.jsonl
$r tournament 'crash=python3 row.py crash 3' awful mediocre "${board[@]}" --games 12 --series 6 --seed 8 -q --out disqualified.jsonl
$r match 'talk=python3 row.py talk 1' mediocre "${board[@]}" --games 4 --series 2 --seed 9 -q --out comments.jsonl
$r match awful mediocre "${board[@]}" --games 8 --series 4 --seed 10 -q --out compressed.jsonl.zst
$r match awful mediocre "${board[@]}" --apart=sides --rules salvo --salvo-results count --games 4 --series 2 --seed 11 -q --out withdrawn.jsonl
for game in "awful mediocre --rules twist --max-turns 30" "mediocre good --rows 6"; do
    $r play $game --seed 12 --no-pause --record play.jsonl > play.out
done
# Interrupted by SIGKILL after three series; then the last line lost its end.
$r match 'row=python3 row.py slow 1' mediocre "${board[@]}" --games 40 --series 4 --jobs 1 --seed 13 -q --out interrupted.jsonl &
until [ "$(grep -c '"battleship-series"' interrupted.jsonl 2> /dev/null)" -ge 3 ]; do sleep 0.01; done
kill -KILL $!
truncate -s -200 interrupted.jsonl
