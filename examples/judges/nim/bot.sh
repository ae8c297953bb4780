#!/bin/sh
# Plays one move of Nim: bot.sh 3 4 5 prints a heap and how many to take, as "1 2". It knows nothing of the referee.
# Whoever leaves heaps whose bitwise sum is 0 wins.

sum=$(($1 ^ $2 ^ $3)) heap=0
for size in "$@"; do
    heap=$((heap + 1)) rest=$((size ^ sum))
    if [ $rest -lt "$size" ]; then
        echo "$heap $((size - rest))"
        exit
    fi
done

# The opponent can win: take one object, so that the game takes long.
heap=0
for size in "$@"; do
    heap=$((heap + 1))
    if [ "$size" -gt 0 ]; then
        echo "$heap 1"
        exit
    fi
done
