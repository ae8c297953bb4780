// The first tests of the strategy: make test
#undef NDEBUG
#include <algorithm>
#include <cassert>
#include <iostream>
#include "strategy.hpp"

Strategy newGame(int rows, int cols, vector<int> lengths, unsigned seed = 1, bool apart = false) {
    Strategy strategy;
    strategy.newGame(rows, cols, lengths, seed, apart);
    return strategy;
}

void shipsLieOnTheBoardAndNotOnOneAnother() {
    vector<int> lengths = {5, 4, 3, 3, 2};
    vector<Place> places = newGame(10, 10, lengths).place();
    assert(places.size() == lengths.size());
    set<Cell> taken;
    for (size_t ship = 0; ship < lengths.size(); ship++)
        for (int i = 0; i < lengths[ship]; i++) {
            auto [row, col, direction] = places[ship];
            Cell cell = direction == 'h' ? Cell(row, col + i) : Cell(row + i, col);
            assert(min(cell.first, cell.second) >= 0 && max(cell.first, cell.second) < 10);
            assert(taken.insert(cell).second);
        }
}

void shipsThatMayNotTouchDoNot() {
    vector<int> lengths = {5, 4, 3, 3, 2};
    for (unsigned seed = 0; seed < 20; seed++) {
        vector<Place> places = newGame(10, 10, lengths, seed, true).place();
        set<Cell> near;  // the cells of the ships so far, and those around them
        for (size_t ship = 0; ship < lengths.size(); ship++) {
            auto [row, col, direction] = places[ship];
            int height = direction == 'v' ? lengths[ship] : 1, width = direction == 'h' ? lengths[ship] : 1;
            for (int r = row; r < row + height; r++)
                for (int c = col; c < col + width; c++) assert(!near.count({r, c}));
            for (int r = row - 1; r <= row + height; r++)
                for (int c = col - 1; c <= col + width; c++) near.insert({r, c});
        }
    }
}

void aFleetWithoutRoomIsNotPlaced() {
    assert(newGame(1, 2, {2, 1}).place().empty());
}

void noCellIsAttackedTwice() {
    Strategy strategy = newGame(3, 7, {2});
    set<Cell> tried;
    for (int i = 0; i < 21; i++) assert(tried.insert(strategy.attack()).second);
}

void aSalvoHasACellForEachShot() {
    Strategy strategy = newGame(2, 4, {2});
    set<Cell> tried;
    for (int shots : {5, 3})
        for (Cell cell : strategy.salvo(shots)) assert(tried.insert(cell).second);
    assert(tried.size() == 8);
    assert(strategy.salvo(2).size() == 2);  // no cell is left to try
}

void afterAHitComesItsNeighbour() {
    Strategy strategy = newGame(1, 9, {2});
    strategy.result({0, 4}, "hit", -1);
    Cell cell = strategy.attack();
    assert(cell == Cell(0, 3) || cell == Cell(0, 5));
}

void theSameSeedGivesTheSamePlay() {
    Strategy one = newGame(10, 10, {2}), other = newGame(10, 10, {2});
    for (int i = 0; i < 100; i++) assert(one.attack() == other.attack());
}

int main() {
    shipsLieOnTheBoardAndNotOnOneAnother();
    shipsThatMayNotTouchDoNot();
    aFleetWithoutRoomIsNotPlaced();
    noCellIsAttackedTwice();
    aSalvoHasACellForEachShot();
    afterAHitComesItsNeighbour();
    theSameSeedGivesTheSamePlay();
    cout << "all tests pass" << endl;
}
