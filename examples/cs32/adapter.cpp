// Lets a player of the course's classes speak the protocol. This compiles with an unchanged Board.cpp, Game.cpp and
// Player.cpp and the course's headers; CS32_TYPE is the type that createPlayer is asked for, CS32_NAME what the bot is called. See README.md.
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>
#include "seeded.h"
#include "globals.h"
#include "Game.h"
#include "Board.h"
#include "Player.h"
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

// With a name, so that what the students' headers declare may be called the same: here these names come first.
namespace cs32_adapter
{

// The call of the student's code that runs, as a crash in it is reported.
const char* calling = "its constructors";

// Names the call before the program ends as it would have ended.
void reportCrash(int signal)
{
    std::fputs("It crashed in ", stderr);
    std::fputs(calling, stderr);
    std::fputs("\n", stderr);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

struct Ship
{
    int length;
    char symbol;
    std::string name;
};

// The cells of row r in a line of display: all characters but blanks and borders, without the number or the letter of the row.
std::string cellsOf(const std::string& line, int r, int nCols, char border)
{
    std::string cells;
    for (const char c : line)
        if (!std::isspace(static_cast<unsigned char>(c)) && c != border)
            cells += c;
    const auto hasHeader = [&] { return static_cast<int>(cells.size()) > nCols; };
    std::string header;
    while (hasHeader() && std::isdigit(static_cast<unsigned char>(cells[0])))
    {
        header += cells[0];
        cells.erase(0, 1);
    }
    const char letter = static_cast<char>('A' + r);
    if (hasHeader() && header.empty() && std::toupper(static_cast<unsigned char>(cells[0])) == letter)
    {
        header += cells[0];
        cells.erase(0, 1);
    }
    // As in "3:" or "C)".
    const bool isMark = hasHeader() && std::ispunct(static_cast<unsigned char>(cells[0]));
    if (isMark && !header.empty() && static_cast<int>(cells.size()) == nCols + 1)
        cells.erase(0, 1);
    return cells;
}

// The rows of the board as display shows them, without their numbers. Columns may have blanks or borders between them.
std::vector<std::string> rowsShown(const Board& board, int nRows, int nCols, const std::vector<Ship>& ships)
{
    std::ostringstream shown;
    std::streambuf* before = std::cout.rdbuf(shown.rdbuf());
    board.display(false);
    std::cout.rdbuf(before);

    char border = '|';
    for (const Ship& ship : ships)
        if (ship.symbol == border)
            border = ' ';
    std::istringstream lines(shown.str());
    std::vector<std::string> all;
    std::string line;
    while (std::getline(lines, line))
        if (line.find_first_not_of("-+=_| \t\r") != std::string::npos)
            all.push_back(line);
    // Above the rows are the numbers of the columns.
    const int nShown = static_cast<int>(all.size()) - 1;
    if (nShown < nRows)
    {
        std::cerr << "Board::display(false) shows " << (nShown < 0 ? 0 : nShown) << " rows on a board of " << nRows << std::endl;
        std::exit(1);
    }
    std::vector<std::string> rows;
    for (int r = 0; r < nRows; r++)
    {
        rows.push_back(cellsOf(all[all.size() - nRows + r], r, nCols, border));
        const int nCells = static_cast<int>(rows[r].size());
        if (nCells != nCols)
        {
            std::cerr << "Board::display(false) shows " << nCells << " columns on a board of " << nCols << ", in row " << r << ": "
                      << all[all.size() - nRows + r] << std::endl;
            std::exit(1);
        }
    }
    return rows;
}

// Where the ship lies, as the protocol has it: "ROW COL h" or "ROW COL v". Empty if it is not there in one piece.
std::string placeOf(const Ship& ship, const std::vector<std::string>& rows)
{
    std::vector<Point> cells;
    for (size_t r = 0; r < rows.size(); r++)
        for (size_t c = 0; c < rows[r].size(); c++)
            if (rows[r][c] == ship.symbol)
                cells.push_back(Point(static_cast<int>(r), static_cast<int>(c)));
    if (static_cast<int>(cells.size()) != ship.length)
        return "";
    bool vertical = ship.length > 1 && cells[1].r > cells[0].r;
    for (int i = 0; i < ship.length; i++)
        if (cells[i].r != cells[0].r + (vertical ? i : 0) || cells[i].c != cells[0].c + (vertical ? 0 : i))
            return "";
    std::ostringstream place;
    place << cells[0].r << ' ' << cells[0].c << (vertical ? " v" : " h");
    return place.str();
}

// Whether two ships lie beside one another, or at a corner.
bool touch(const std::vector<Ship>& ships, const std::vector<std::string>& rows)
{
    std::string symbols;
    for (const Ship& ship : ships)
        symbols += ship.symbol;
    const auto shipAt = [&](int r, int c) {
        const bool isInside = r < static_cast<int>(rows.size()) && c >= 0 && c < static_cast<int>(rows[r].size());
        return isInside && symbols.find(rows[r][c]) != std::string::npos ? rows[r][c] : '\0';
    };
    for (int r = 0; r < static_cast<int>(rows.size()); r++)
        for (int c = 0; c < static_cast<int>(rows[r].size()); c++)
            for (const char other : {shipAt(r, c + 1), shipAt(r + 1, c - 1), shipAt(r + 1, c), shipAt(r + 1, c + 1)})
                if (other != '\0' && shipAt(r, c) != '\0' && other != shipAt(r, c))
                    return true;
    return false;
}

// One game, and the student's player of it.
class Match
{
public:
    Match(int nRows, int nCols, const std::string& name, const std::vector<Ship>& fleet)
        : ships(fleet), game(nRows, nCols)
    {
        for (const Ship& ship : ships)
            if (!game.addShip(ship.length, ship.symbol, ship.name))
            {
                std::cerr << "Game::addShip refused the " << ship.name << std::endl;
                hasAllShips = false;
            }
        for (int i = 0; i < nRows * nCols; i++)
            untried.insert({i / nCols, i % nCols});
        player.reset(createPlayer(CS32_TYPE, name, game));
    }

    // Whether there is a player, and not one that would ask a person.
    bool canPlay() const { return player != nullptr && !player->isHuman(); }

    // The places of all ships, each behind a space; " none" if the student's classes did not place them, or only so that ships
    // touch that may not.
    std::string place(bool apart)
    {
        // Without a ship, placeShips might try for ever.
        if (!hasAllShips)
            return " none";
        std::vector<std::string> rows;
        // The classes do not know that ships may not touch. A player that places at random soon has a placement without.
        for (int tries = 0; tries == 0 || (apart && touch(ships, rows)); tries++)
        {
            Board board(game);
            if (tries == 200)
                std::cerr << "placeShips let ships touch 200 times, which may not in this game" << std::endl;
            calling = "placeShips";
            if (tries == 200 || !player->placeShips(board))
                return " none";
            rows = rowsShown(board, game.rows(), game.cols(), ships);
        }
        std::string places;
        for (const Ship& ship : ships)
        {
            const std::string place = placeOf(ship, rows);
            if (place.empty())
            {
                std::cerr << "placeShips returned true, but Board::display(false) does not show the " << ship.name
                          << " as " << ship.length << " cells in a line" << std::endl;
                return " none";
            }
            places += " " + place;
        }
        return places;
    }

    Point attack()
    {
        calling = "recommendAttack";
        return player->recommendAttack();
    }

    // The cells of a salvo. A player may recommend a cell again, since it has not heard the result: it is asked again. If it
    // keeps to that cell, another takes its place. It is not asked without an untried cell: it might look for one for ever.
    std::vector<Point> salvo(int shots)
    {
        std::vector<Point> cells;
        while (static_cast<int>(cells.size()) < shots)
        {
            std::pair<int, int> cell = {0, 0};
            for (int tries = 0; tries < 100 && !untried.empty(); tries++)
            {
                const Point p = attack();
                cell = {p.r, p.c};
                if (untried.count(cell) != 0)
                    break;
            }
            if (!untried.empty() && untried.count(cell) == 0)
                cell = *untried.begin();
            untried.erase(cell);
            cells.push_back(Point(cell.first, cell.second));
        }
        return cells;
    }

    void result(Point p, const std::string& what, int ship)
    {
        const bool destroyed = what == "sunk";
        const bool hit = destroyed || what == "hit";
        calling = destroyed ? "recordAttackResult, when a ship was destroyed"
                            : "recordAttackResult, with shipDestroyed false and shipId -1: the specification promises nothing "
                              "about shipId then, and an index of -1 crashes";
        player->recordAttackResult(p, what != "wasted", hit, destroyed, destroyed ? ownId(ship) : -1);
    }

    void opponent(Point p)
    {
        calling = "recordAttackByOpponent";
        player->recordAttackByOpponent(p);
    }

private:
    std::vector<Ship> ships;
    Game game;
    bool hasAllShips = true;
    std::set<std::pair<int, int>> untried;  // by salvos
    std::unique_ptr<Player> player;

    // What the student's Game calls the ship: its ids need not be in the order of addShip.
    int ownId(int ship) const
    {
        for (int id = 0; id < game.nShips(); id++)
            if (game.shipSymbol(id) == ships[ship].symbol)
                return id;
        return -1;
    }
};

// Whether createPlayer makes a computer player of the type. It is tried in another process: a program that was written for
// one game may count its players.
bool canPlay(const std::string& name, const std::vector<Ship>& fleet)
{
#ifndef _WIN32
    const pid_t child = fork();
    if (child == 0)
        _exit(Match(10, 10, name, fleet).canPlay() ? 0 : 1);
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
        return WEXITSTATUS(status) == 0;
#endif
    return Match(10, 10, name, fleet).canPlay();
}

int run()
{
    // The protocol has the real standard input and output. The students' code reads nothing, and what it prints to
    // cout goes to cerr.
    std::istream referee(std::cin.rdbuf());
    std::ostream reply(std::cout.rdbuf());
    std::istringstream nothing;
    std::cin.rdbuf(nothing.rdbuf());
    std::cout.rdbuf(std::cerr.rdbuf());

    for (const int signal : {SIGSEGV, SIGFPE, SIGABRT})
        std::signal(signal, reportCrash);

    const std::string name = CS32_NAME;
    const std::vector<Ship> standard = {
        {5, 'A', "aircraft carrier"}, {4, 'B', "battleship"}, {3, 'D', "destroyer"}, {3, 'S', "submarine"},
        {2, 'P', "patrol boat"}};
    int nRows = 0, nCols = 0;
    bool apart = false;
    std::vector<Ship> ships;
    std::unique_ptr<Match> match;
    std::string line;
    while (std::getline(referee, line))
    {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        std::istringstream words(line);
        std::string command, what;
        int row = 0, col = 0, id = 0;
        words >> command;
        if (command == "battleship")
        {
            if (!canPlay(name, standard))
            {
                std::cerr << "createPlayer makes no computer player of the type " CS32_TYPE << std::endl;
                return 1;
            }
            reply << "name " << name << "\nplays classic salvo\nready" << std::endl;
        }
        else if (command == "game")
        {
            words >> what >> nRows >> nCols;
            match.reset();
            ships.clear();
            apart = false;
        }
        else if (command == "ship")
        {
            Ship ship;
            words >> id >> ship.length >> ship.symbol >> std::ws;
            std::getline(words, ship.name);
            ships.push_back(ship);
        }
        else if (command == "rule" && words >> what)
            apart |= what == "apart";
        else if (command == "seed")
        {
            unsigned int seed = 0;
            words >> seed;
            cs32_seeded::begin(seed);
        }
        else if (command == "place")
        {
            match.reset(new Match(nRows, nCols, name, ships));
            // Before anything is written: the program may end in it.
            const std::string places = match->place(apart);
            reply << "place" << places << std::endl;
        }
        else if (command == "attack" && match)
        {
            const Point p = match->attack();
            reply << "attack " << p.r << ' ' << p.c << std::endl;
        }
        else if (command == "salvo" && match && words >> id)
        {
            reply << "salvo";
            for (const Point& p : match->salvo(id))
                reply << ' ' << p.r << ' ' << p.c;
            reply << std::endl;
        }
        else if (command == "result" && match && words >> row >> col >> what)
        {
            words >> id;
            match->result(Point(row, col), what, id);
        }
        else if (command == "opponent" && match && words >> row >> col)
            match->opponent(Point(row, col));
        else if (command == "quit")
            break;
    }
    return 0;
}

}  // namespace cs32_adapter

int main()
{
    return cs32_adapter::run();
}
