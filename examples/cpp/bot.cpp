// Speaks the protocol for the strategy in strategy.hpp. Nothing to change here.
#include <iostream>
#include <sstream>
#include "strategy.hpp"

int main() {
    Strategy strategy;
    int rows = 0, cols = 0;
    unsigned seed = 0;
    bool apart = false;
    vector<int> lengths;
    for (string line; getline(cin, line);) {
        istringstream words(line);
        string command, word;
        int row, col, length, ship, shots;
        words >> command;
        if (command == "quit") break;
        if (command == "battleship")
            cout << "name " << strategy.name << "\nplays classic salvo apart\nready" << endl;  // endl flushes
        if (command == "game" && words >> word >> rows >> cols) lengths.clear(), apart = false;
        if (command == "ship" && words >> word >> length) lengths.push_back(length);
        if (command == "rule" && words >> word) apart |= word == "apart";
        if (command == "seed") words >> seed;
        if (command == "place") {
            strategy.newGame(rows, cols, lengths, seed, apart);
            vector<Place> places = strategy.place();
            cout << (places.empty() ? "place none" : "place");
            for (Place at : places) cout << " " << at.row << " " << at.col << " " << at.direction;
            cout << endl;
        }
        if (command == "attack") {
            Cell cell = strategy.attack();
            cout << "attack " << cell.first << " " << cell.second << endl;
        }
        if (command == "salvo" && words >> shots) {
            cout << "salvo";
            for (Cell cell : strategy.salvo(shots)) cout << " " << cell.first << " " << cell.second;
            cout << endl;
        }
        if (command == "result" && words >> row >> col >> word)
            strategy.result({row, col}, word, words >> ship ? ship : -1);
        if (command == "opponent" && words >> row >> col) strategy.opponent({row, col});
    }
}
