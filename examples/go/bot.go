// Speaks the protocol for the strategy in strategy.go. Nothing to change here.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	game, strategy := Game{}, Strategy{}
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		var command, word string
		var one, two, ship int
		fmt.Sscan(input.Text(), &command, &one, &two, &word, &ship) // as many as there are
		switch command {
		case "battleship":
			fmt.Printf("name %s\nplays classic salvo apart\nready\n", Name)
		case "game":
			fmt.Sscan(input.Text(), &command, &word, &one, &two)
			game = Game{Rows: one, Cols: two}
		case "ship":
			game.Lengths = append(game.Lengths, two)
		case "rule":
			fmt.Sscan(input.Text(), &command, &word)
			game.Apart = game.Apart || word == "apart"
		case "seed":
			game.Seed = int64(one)
		case "place":
			strategy.NewGame(game)
			reply := "place"
			for _, at := range strategy.Place() {
				reply += fmt.Sprintf(" %d %d %c", at.Row, at.Col, "hv"[at.Down])
			}
			if reply == "place" {
				reply = "place none"
			}
			fmt.Println(reply) // this has no buffer; one of bufio would have to be flushed
		case "attack":
			cell := strategy.Attack()
			fmt.Println("attack", cell.Row, cell.Col)
		case "salvo":
			reply := "salvo"
			for _, cell := range strategy.Salvo(one) {
				reply += fmt.Sprintf(" %d %d", cell.Row, cell.Col)
			}
			fmt.Println(reply)
		case "result":
			strategy.Result(one, two, word, ship)
		case "opponent":
			strategy.Opponent(one, two)
		case "quit":
			return
		}
	}
}
