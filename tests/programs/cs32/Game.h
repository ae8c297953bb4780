// A stand-in for the course's file of this name, as far as its specification declares it.
#ifndef GAME_INCLUDED
#define GAME_INCLUDED

#include <string>

class GameImpl;
class Player;
class Point;

class Game
{
  public:
    Game(int nRows, int nCols);
    ~Game();
    int rows() const;
    int cols() const;
    bool isValid(Point p) const;
    Point randomPoint() const;
    bool addShip(int length, char symbol, std::string name);
    int nShips() const;
    int shipLength(int shipId) const;
    char shipSymbol(int shipId) const;
    std::string shipName(int shipId) const;
    Player* play(Player* p1, Player* p2, bool shouldPause = true);
    Game(const Game&) = delete;
    Game& operator=(const Game&) = delete;

  private:
    GameImpl* m_impl;
};

#endif
