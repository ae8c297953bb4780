// How the bot plays: the file to change.
#include <random>
#include <set>
#include <string>
#include <vector>
using namespace std;

using Cell = pair<int, int>;  // row, column
struct Place { int row, col; char direction; };  // the topmost or leftmost cell, 'h' or 'v'

// One Strategy plays all games of a series, so it can learn from one game to the next.
class Strategy {
public:
    const string name = "Seaplusplus";

    void newGame(int rows, int cols, const vector<int>& shipLengths, unsigned seed, bool shipsApart) {
        lengths = shipLengths;
        apart = shipsApart;
        rng.seed(seed);  // the same seed, the same game
        untried.clear(), hits.clear();
        for (int i = 0; i < rows * cols; i++) untried.insert({i / cols, i % cols});
    }

    // Returns where each ship goes, in the order of their lengths; nothing if there is no way.
    vector<Place> place() {
        vector<Place> places;
        for (int tries = 0; tries < 200 && places.empty(); tries++) places = tryToPlace();
        return places;
    }

    // Returns where to shoot: next to a hit if there is one, else anywhere.
    Cell attack() {
        vector<Cell> targets;
        for (auto [row, col] : hits)
            for (Cell cell : {Cell(row, col + 1), Cell(row + 1, col), Cell(row, col - 1), Cell(row - 1, col)})
                if (untried.count(cell)) targets.push_back(cell);
        if (targets.empty()) targets.assign(untried.begin(), untried.end());
        Cell chosen = targets.empty() ? Cell(0, 0) : oneOf(targets);
        untried.erase(chosen);
        return chosen;
    }

    // Returns the cells for all shots of a turn of the salvo game. Their results come after the last shot.
    vector<Cell> salvo(int shots) {
        vector<Cell> cells;
        for (int i = 0; i < shots; i++) cells.push_back(attack());
        return cells;
    }

    // Says what became of an attack: "miss", "hit", "sunk" (then ship is its number) or "wasted".
    void result(Cell cell, string what, int /*ship*/) {
        untried.erase(cell);  // a test may tell other attacks
        if (what == "hit") hits.insert(cell);
        if (what == "sunk") hits.clear();
    }

    // Says where the opponent has shot.
    void opponent(Cell /*cell*/) {}

private:
    vector<int> lengths;
    bool apart;  // whether ships may not touch, not at corners either
    set<Cell> untried, hits;  // hits: on ships still afloat, as far as we know
    mt19937 rng;

    template <class T> T oneOf(const vector<T>& choices) { return choices[rng() % choices.size()]; }

    // Puts each ship where there is room, at random, the longest first; nothing if one finds no room.
    vector<Place> tryToPlace() {
        vector<Place> places(lengths.size());
        set<Cell> taken;
        for (int length = 10; length > 0; length--)
            for (size_t ship = 0; ship < lengths.size(); ship++) {
                if (lengths[ship] != length) continue;
                vector<Place> options;
                for (auto [row, col] : untried)  // all cells, before the first attack
                    for (Place at : {Place{row, col, 'h'}, Place{row, col, 'v'}})
                        if (hasRoom(at, length, taken)) options.push_back(at);
                if (options.empty()) return {};
                places[ship] = oneOf(options);
                for (int i = 0; i < length; i++)
                    for (int down = -apart; down <= apart; down++)
                        for (int right = -apart; right <= apart; right++) {
                            auto [row, col] = cellOf(places[ship], i);
                            taken.insert({row + down, col + right});
                        }
            }
        return places;
    }

    bool hasRoom(Place at, int length, const set<Cell>& taken) {
        for (int i = 0; i < length; i++)
            if (!untried.count(cellOf(at, i)) || taken.count(cellOf(at, i))) return false;
        return true;
    }

    Cell cellOf(Place at, int i) { return at.direction == 'h' ? Cell(at.row, at.col + i) : Cell(at.row + i, at.col); }
};
