// How the bot plays: the file to change.
package main

import "math/rand"

const Name = "Gopher"

type Game struct {
	Rows, Cols int
	Lengths    []int
	Seed       int64
	Apart      bool // whether ships may not touch, not at corners either
}

type Cell struct{ Row, Col int }

// Place is where a ship lies: its topmost or leftmost cell, and 0 for horizontal, 1 for vertical.
type Place struct{ Row, Col, Down int }

func (p Place) cell(i int) Cell { return Cell{p.Row + i*p.Down, p.Col + i*(1-p.Down)} }

// Strategy plays all games of a series, so it can learn from one game to the next.
type Strategy struct {
	game    Game
	random  *rand.Rand
	untried map[Cell]bool
	near    []Cell // next to hits on ships still afloat, as far as we know
}

func (s *Strategy) NewGame(game Game) {
	s.game, s.near = game, nil
	s.random = rand.New(rand.NewSource(game.Seed)) // the same seed, the same game
	s.untried = s.allCells()
}

func (s *Strategy) allCells() map[Cell]bool {
	cells := map[Cell]bool{}
	for i := 0; i < s.game.Rows*s.game.Cols; i++ {
		cells[Cell{i / s.game.Cols, i % s.game.Cols}] = true
	}
	return cells
}

// Place says where each ship goes, in the order of their lengths; nil if there is no way.
func (s *Strategy) Place() []Place {
tries:
	for tries := 0; tries < 200; tries++ {
		places, free := make([]Place, len(s.game.Lengths)), s.allCells()
		for length := 10; length > 0; length-- { // the longest ships choose first
			for ship := range places {
				if s.game.Lengths[ship] == length && !s.placeShip(length, &places[ship], free) {
					continue tries
				}
			}
		}
		return places
	}
	return nil
}

// placeShip puts a ship where there is room, at random; false if there is none.
func (s *Strategy) placeShip(length int, place *Place, free map[Cell]bool) bool {
	for _, i := range s.random.Perm(2 * s.game.Rows * s.game.Cols) {
		*place = Place{i / 2 / s.game.Cols, i / 2 % s.game.Cols, i % 2}
		room := true
		for j := 0; j < length; j++ {
			room = room && free[place.cell(j)]
		}
		for j := 0; j < length && room; j++ {
			s.take(place.cell(j), free)
		}
		if room {
			return true
		}
	}
	return false
}

// take leaves no room for another ship in this cell; nor around it, if ships may not touch.
func (s *Strategy) take(taken Cell, free map[Cell]bool) {
	delete(free, taken)
	for i := 0; i < 9 && s.game.Apart; i++ {
		delete(free, Cell{taken.Row + i/3 - 1, taken.Col + i%3 - 1})
	}
}

// Attack says where to shoot: next to a hit if there is one, else anywhere.
func (s *Strategy) Attack() (chosen Cell) {
	for _, i := range s.random.Perm(s.game.Rows * s.game.Cols) {
		if cell := (Cell{i / s.game.Cols, i % s.game.Cols}); s.untried[cell] {
			chosen = cell
		}
	}
	for _, cell := range s.near {
		if s.untried[cell] {
			chosen = cell
		}
	}
	delete(s.untried, chosen)
	return chosen
}

// Salvo says where all shots of a turn of the salvo game go. Their results come after the last shot.
func (s *Strategy) Salvo(shots int) (cells []Cell) {
	for len(cells) < shots {
		cells = append(cells, s.Attack())
	}
	return cells
}

// Result says what became of an attack: "miss", "hit", "sunk" (then ship is its number) or "wasted".
func (s *Strategy) Result(row, col int, what string, ship int) {
	delete(s.untried, Cell{row, col}) // a test may tell other attacks
	if what == "hit" {
		s.near = append(s.near, Cell{row, col + 1}, Cell{row + 1, col}, Cell{row, col - 1}, Cell{row - 1, col})
	} else if what == "sunk" {
		s.near = nil
	}
}

// Opponent says where the opponent has shot.
func (s *Strategy) Opponent(row, col int) {}
