// A stand-in for the course's file of this name, as far as its specification declares it.
#ifndef BOARD_INCLUDED
#define BOARD_INCLUDED

#include "globals.h"

class BoardImpl;
class Game;

class Board
{
  public:
    Board(const Game& g);
    ~Board();
    void clear();
    void block();
    void unblock();
    bool placeShip(Point topOrLeft, int shipId, Direction dir);
    bool unplaceShip(Point topOrLeft, int shipId, Direction dir);
    void display(bool shotsOnly) const;
    bool attack(Point p, bool& shotHit, bool& shipDestroyed, int& shipId);
    bool allShipsDestroyed() const;
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;

  private:
    BoardImpl* m_impl;
};

#endif
