// What a student hands in.
#include "Board.h"
#include <iostream>
#include <string>
#include <vector>
#include "Game.h"

using namespace std;

class BoardImpl
{
  public:
    const Game& game;
    vector<string> cells;

    // Replaces the cells of a ship, if all of them are `from`.
    bool replace(Point p, int shipId, Direction dir, char from, char to)
    {
        if (shipId < 0 || shipId >= game.nShips())
            return false;
        vector<char*> parts;
        for (int i = 0; i < game.shipLength(shipId); i++, dir == HORIZONTAL ? p.c++ : p.r++)
        {
            if (!game.isValid(p) || cells[p.r][p.c] != from)
                return false;
            parts.push_back(&cells[p.r][p.c]);
        }
        for (char* part : parts)
            *part = to;
        return true;
    }

    bool has(char symbol) const
    {
        for (const string& row : cells)
            if (row.find(symbol) != string::npos)
                return true;
        return false;
    }
};

Board::Board(const Game& g) : m_impl(new BoardImpl{g, {}}) { clear(); }
Board::~Board() { delete m_impl; }
void Board::clear() { m_impl->cells.assign(m_impl->game.rows(), string(m_impl->game.cols(), '.')); }

void Board::block()
{
    for (string& row : m_impl->cells)
        for (char& cell : row)
            if (randInt(2) == 0)
                cell = '#';
}

void Board::unblock()
{
    for (string& row : m_impl->cells)
        for (char& cell : row)
            if (cell == '#')
                cell = '.';
}

bool Board::placeShip(Point topOrLeft, int shipId, Direction dir)
{
    return !m_impl->has(m_impl->game.shipSymbol(shipId))
        && m_impl->replace(topOrLeft, shipId, dir, '.', m_impl->game.shipSymbol(shipId));
}

bool Board::unplaceShip(Point topOrLeft, int shipId, Direction dir)
{
    return m_impl->replace(topOrLeft, shipId, dir, m_impl->game.shipSymbol(shipId), '.');
}

void Board::display(bool shotsOnly) const
{
    cout << "  " << string("0123456789").substr(0, m_impl->game.cols()) << endl;
    for (int r = 0; r < m_impl->game.rows(); r++)
    {
        cout << r << ' ';
        for (char cell : m_impl->cells[r])
            cout << (shotsOnly && cell != 'X' && cell != 'o' ? '.' : cell);
        cout << endl;
    }
}

bool Board::attack(Point p, bool& shotHit, bool& shipDestroyed, int& shipId)
{
    if (!m_impl->game.isValid(p) || m_impl->cells[p.r][p.c] == 'X' || m_impl->cells[p.r][p.c] == 'o')
        return false;
    const char before = m_impl->cells[p.r][p.c];
    shotHit = before != '.';
    m_impl->cells[p.r][p.c] = shotHit ? 'X' : 'o';
    shipDestroyed = shotHit && !m_impl->has(before);
    for (int id = 0; shipDestroyed && id < m_impl->game.nShips(); id++)
        if (m_impl->game.shipSymbol(id) == before)
            shipId = id;
    return true;
}

bool Board::allShipsDestroyed() const
{
    for (int id = 0; id < m_impl->game.nShips(); id++)
        if (m_impl->has(m_impl->game.shipSymbol(id)))
            return false;
    return true;
}
