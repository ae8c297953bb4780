// What a student hands in. Its ships are in the order of their symbols, so their ids are not in the order of addShip.
#include "Game.h"
#include <map>
#include "globals.h"

using namespace std;

struct Ship
{
    int length;
    string name;
};

class GameImpl
{
  public:
    int rows, cols;
    map<char, Ship> ships;

    const pair<const char, Ship>& ship(int id) const { return *next(ships.begin(), id); }
};

Game::Game(int nRows, int nCols) : m_impl(new GameImpl{nRows, nCols, {}}) {}
Game::~Game() { delete m_impl; }
int Game::rows() const { return m_impl->rows; }
int Game::cols() const { return m_impl->cols; }
int Game::nShips() const { return static_cast<int>(m_impl->ships.size()); }
int Game::shipLength(int shipId) const { return m_impl->ship(shipId).second.length; }
char Game::shipSymbol(int shipId) const { return m_impl->ship(shipId).first; }
string Game::shipName(int shipId) const { return m_impl->ship(shipId).second.name; }
bool Game::isValid(Point p) const { return p.r >= 0 && p.r < rows() && p.c >= 0 && p.c < cols(); }
Point Game::randomPoint() const { return Point(randInt(rows()), randInt(cols())); }

bool Game::addShip(int length, char symbol, string name)
{
    return length > 0 && length <= max(rows(), cols()) && m_impl->ships.insert({symbol, {length, name}}).second;
}

Player* Game::play(Player*, Player*, bool) { return nullptr; }  // the referee does that
