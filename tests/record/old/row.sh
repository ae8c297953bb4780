# A bot for a board of 2x3 with one ship: it attacks row by row.
while read -r word rest; do
    case $word in
    battleship) echo ready ;;
    game) cell=0 ;;
    place) echo 'place 0 0 h' ;;
    attack)
        echo "attack $((cell / 3)) $((cell % 3))"
        cell=$((cell + 1))
        ;;
    quit) exit ;;
    esac
done
