#!/bin/sh
# The judge of Nim. Its seed decides how large the three heaps are. Whoever takes the last object wins.

show() {
    number=0
    for size in "$@"; do
        number=$((number + 1)) row=
        while [ ${#row} -lt "$size" ]; do row="$row|"; done
        echo "show * $number $row"
    done
}

# Prints the legal replies as "1 1, 1 2, 2 1".
legal() {
    list= number=0
    for size in "$@"; do
        number=$((number + 1)) count=0
        while [ $count -lt "$size" ]; do
            count=$((count + 1))
            list="$list, $number $count"
        done
    done
    echo "${list#, }"
}

# Sets heap and count if the reply is a legal one. Patterns, since arithmetic would run what a bot says.
is_legal() {
    case $1 in [123]' '[1234567]) ;; *) return 1 ;; esac
    heap=${1%??} count=${1#??}
    case $heap in 1) size=$2 ;; 2) size=$3 ;; 3) size=$4 ;; esac
    [ "$count" -le "$size" ]
}

play() {
    set -- $(($1 % 7 + 1)) $(($1 / 7 % 7 + 1)) $(($1 / 49 % 7 + 1))
    player=1
    while [ "$*" != "0 0 0" ]; do
        show "$@"
        echo "ask $player take $*"
        while
            IFS= read -r line || exit
            ! is_legal "${line#reply ? }" "$@"
        do
            echo "bad $player expected a heap and how many to take: $(legal "$@")"
        done
        case $heap in
            1) set -- $(($1 - count)) "$2" "$3" ;;
            2) set -- "$1" $(($2 - count)) "$3" ;;
            3) set -- "$1" "$2" $(($3 - count)) ;;
        esac
        player=$((3 - player))
    done
    show "$@"
    echo "over $((3 - player)) took the last object"
}

while read -r command seed; do
    case $command in
        judge) echo "game nim" ;;
        begin) play "$seed" ;;
        quit) exit ;;
    esac
done
