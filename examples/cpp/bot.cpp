// A Battleship bot in C++: shoots at random, and next to its hits.
//
// Copy this file, change chooseAttack, and play:
//     g++ -std=c++17 -O2 -o bot bot.cpp && referee play ./bot mediocre
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

struct Ship { int row, col, length; char dir; };

int rows, cols;
vector<Ship> ships;
set<pair<int, int>> untried, hits;  // hits: on ships still afloat, as far as we know
mt19937 rng;

int randInt(int limit) { return rng() % limit; }

bool placeShips() {  // puts every ship at random; false if one does not fit there
    set<pair<int, int>> taken;
    for (Ship& s : ships) {
        s.row = randInt(rows), s.col = randInt(cols), s.dir = randInt(2) ? 'h' : 'v';
        for (int i = 0; i < s.length; i++) {
            pair<int, int> cell(s.row + (s.dir == 'v') * i, s.col + (s.dir == 'h') * i);
            if (cell.first >= rows || cell.second >= cols || !taken.insert(cell).second) return false;
        }
    }
    return true;
}

pair<int, int> chooseAttack() {
    vector<pair<int, int>> targets;
    for (auto [r, c] : hits)
        for (auto cell : {pair(r, c + 1), pair(r + 1, c), pair(r, c - 1), pair(r - 1, c)})
            if (untried.count(cell)) targets.push_back(cell);
    if (targets.empty()) targets.assign(untried.begin(), untried.end());
    return targets[randInt(targets.size())];
}

int main() {
    string line, command, word;
    while (getline(cin, line)) {
        istringstream words(line);
        words >> command;
        if (command == "battleship") {
            cout << "name Seaplusplus\nready" << endl;  // endl flushes; "\n" alone does not
        } else if (command == "game") {  // a new game: forget the last one
            words >> word >> rows >> cols;
            ships.clear(), hits.clear(), untried.clear();
            for (int i = 0; i < rows * cols; i++) untried.insert({i / cols, i % cols});
        } else if (command == "ship") {
            Ship ship{};
            words >> word >> ship.length;  // the id counts from 0, so it need not be kept
            ships.push_back(ship);
        } else if (command == "seed") {
            words >> word;
            rng.seed(stoul(word));
        } else if (command == "place") {
            int tries = 10000;
            while (tries > 0 && !placeShips()) tries--;
            cout << "place" << (tries ? "" : " none");
            for (const Ship& s : ships)
                if (tries) cout << " " << s.row << " " << s.col << " " << s.dir;
            cout << endl;
        } else if (command == "attack") {
            auto cell = chooseAttack();
            untried.erase(cell);
            cout << "attack " << cell.first << " " << cell.second << endl;
        } else if (command == "result") {
            int r, c;
            words >> r >> c >> word;
            if (word == "hit") hits.insert({r, c});
            else if (word == "sunk") hits.clear();
        } else if (command == "quit") break;
    }
}
