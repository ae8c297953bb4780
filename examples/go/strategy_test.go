// The first tests of the strategy: go test
package main

import (
	"os/exec"
	"reflect"
	"testing"
)

func newGame(rows, cols int, lengths ...int) *Strategy {
	strategy := &Strategy{}
	strategy.NewGame(Game{rows, cols, lengths, 1})
	return strategy
}

func TestShipsLieOnTheBoardAndNotOnOneAnother(t *testing.T) {
	lengths := []int{5, 4, 3, 3, 2}
	taken := map[Cell]bool{}
	for ship, place := range newGame(10, 10, lengths...).Place() {
		for i := 0; i < lengths[ship]; i++ {
			cell := place.cell(i)
			if cell.Row < 0 || cell.Row > 9 || cell.Col < 0 || cell.Col > 9 || taken[cell] {
				t.Error(ship, cell)
			}
			taken[cell] = true
		}
	}
	if len(taken) != 17 {
		t.Error(taken)
	}
}

func TestAFleetWithoutRoomIsNotPlaced(t *testing.T) {
	if places := newGame(1, 2, 2, 1).Place(); places != nil {
		t.Error(places)
	}
}

func TestNoCellIsAttackedTwice(t *testing.T) {
	strategy, tried := newGame(3, 7, 2), map[Cell]bool{}
	for i := 0; i < 21; i++ {
		tried[strategy.Attack()] = true
	}
	if len(tried) != 21 {
		t.Error(tried)
	}
}

func TestAfterAHitComesItsNeighbour(t *testing.T) {
	strategy := newGame(1, 9, 2)
	strategy.Result(0, 4, "hit", -1)
	if cell := strategy.Attack(); cell.Col != 3 && cell.Col != 5 {
		t.Error(cell)
	}
}

func TestTheSameSeedGivesTheSamePlay(t *testing.T) {
	one, other := newGame(10, 10, 5, 4).Place(), newGame(10, 10, 5, 4).Place()
	if !reflect.DeepEqual(one, other) {
		t.Error(one, other)
	}
}

func TestPositions(t *testing.T) {
	if said, err := exec.Command("referee", "check", "go run .", "--positions", "positions").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}
