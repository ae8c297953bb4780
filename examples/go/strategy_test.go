// The first tests of the strategy: go test
package main

import (
	"reflect"
	"testing"
)

func newGame(rows, cols int, lengths ...int) *Strategy {
	strategy := &Strategy{}
	strategy.NewGame(Game{Rows: rows, Cols: cols, Lengths: lengths, Seed: 1})
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

func TestShipsThatMayNotTouchDoNot(t *testing.T) {
	lengths := []int{5, 4, 3, 3, 2}
	for seed := int64(0); seed < 20; seed++ {
		strategy, near := &Strategy{}, map[Cell]int{} // the last ship in a cell or beside it
		strategy.NewGame(Game{10, 10, lengths, seed, true})
		places := strategy.Place()
		if len(places) != len(lengths) {
			t.Fatal(places)
		}
		for ship, place := range places {
			for i := 0; i < lengths[ship]; i++ {
				cell := place.cell(i)
				if other, found := near[cell]; found && other != ship {
					t.Error(seed, places)
				}
				for j := 0; j < 9; j++ {
					around := Cell{cell.Row + j/3 - 1, cell.Col + j%3 - 1}
					if _, found := near[around]; !found {
						near[around] = ship
					}
				}
			}
		}
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

func TestASalvoHasACellForEachShot(t *testing.T) {
	strategy, tried := newGame(2, 4, 2), map[Cell]bool{}
	for _, cell := range append(strategy.Salvo(5), strategy.Salvo(3)...) {
		tried[cell] = true
	}
	if len(tried) != 8 {
		t.Error(tried)
	}
	if cells := strategy.Salvo(2); len(cells) != 2 { // no cell is left to try
		t.Error(cells)
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
