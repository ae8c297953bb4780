#!/bin/sh
# Speaks the protocol for a program that is started anew for each move of Nim: wrapper.sh sh bot.sh

while read -r command rest; do
    case $command in
        battleship) echo "plays nim" && echo ready ;;
        take) "$@" $rest </dev/null ;; # the heaps are its arguments, and what it prints is the reply
        quit) exit ;;
    esac
done
