// What a student hands in: players who say on cout whatever they do.
#include "Player.h"
#include <iostream>
#include <vector>
#include "Board.h"
#include "Game.h"
#include "globals.h"

using namespace std;

// Shoots at random at what it has not shot at.
class RandomShooter : public Player
{
  public:
    RandomShooter(string nm, const Game& g) : Player(nm, g)
    {
        for (int i = 0; i < g.rows() * g.cols(); i++)
            m_untried.push_back(Point(i / g.cols(), i % g.cols()));
    }

    Point recommendAttack() override
    {
        cout << "attack 99 99" << endl;
        const int chosen = randInt(static_cast<int>(m_untried.size()));
        const Point p = m_untried[chosen];
        m_untried.erase(m_untried.begin() + chosen);
        return p;
    }

    void recordAttackResult(Point, bool validShot, bool shotHit, bool shipDestroyed, int shipId) override
    {
        cout << "valid " << validShot << ", hit " << shotHit << ", destroyed "
             << (shipDestroyed ? game().shipName(shipId) : "nothing") << endl;
    }

    void recordAttackByOpponent(Point p) override { cout << "attacked at " << p.r << ' ' << p.c << endl; }

  private:
    vector<Point> m_untried;
};

// Places one ship below the other.
class AwfulPlayer : public RandomShooter
{
  public:
    using RandomShooter::RandomShooter;

    bool placeShips(Board& b) override
    {
        cout << "place 0 0 h" << endl;
        for (int id = 0; id < game().nShips(); id++)
            if (!b.placeShip(Point(id, 0), id, HORIZONTAL))
                return false;
        return true;
    }
};

// Places the ships where it finds room first, upright if possible, on a board half of which is blocked.
class MediocrePlayer : public RandomShooter
{
  public:
    using RandomShooter::RandomShooter;

    bool placeShips(Board& b) override
    {
        for (int tries = 0; tries < 50; tries++)
        {
            b.block();
            const bool placed = placeFrom(0, b);
            b.unblock();
            if (placed)
                return true;
        }
        return false;
    }

  protected:
    bool placeFrom(int id, Board& b)
    {
        if (id == game().nShips())
            return true;
        for (int i = 0; i < game().rows() * game().cols(); i++)
            for (Direction dir : {VERTICAL, HORIZONTAL})
            {
                const Point p(i / game().cols(), i % game().cols());
                if (!b.placeShip(p, id, dir))
                    continue;
                if (placeFrom(id + 1, b))
                    return true;
                b.unplaceShip(p, id, dir);
            }
        return false;
    }
};

// As mediocre, with nothing blocked: the ships touch.
class GoodPlayer : public MediocrePlayer
{
  public:
    using MediocrePlayer::MediocrePlayer;

    bool placeShips(Board& b) override
    {
        const bool placed = placeFrom(0, b);
        b.display(false);
        return placed;
    }
};

// A person.
class HumanPlayer : public AwfulPlayer
{
  public:
    using AwfulPlayer::AwfulPlayer;
    bool isHuman() const override { return true; }
};

// Recommends a cell until it hears what became of it.
class StubbornPlayer : public AwfulPlayer
{
  public:
    using AwfulPlayer::AwfulPlayer;
    Point recommendAttack() override { return Point(game().rows() - 1, game().cols() - 1); }
};

// Beyond the specification: says that it has placed its ships, and has placed none.
class Boaster : public AwfulPlayer
{
  public:
    using AwfulPlayer::AwfulPlayer;
    bool placeShips(Board&) override { return true; }
};

Player* createPlayer(string type, string nm, const Game& g)
{
    if (type == "awful")
        return new AwfulPlayer(nm, g);
    if (type == "mediocre")
        return new MediocrePlayer(nm, g);
    if (type == "good")
        return new GoodPlayer(nm, g);
    if (type == "human")
        return new HumanPlayer(nm, g);
    if (type == "stubborn")
        return new StubbornPlayer(nm, g);
    if (type == "boaster")
        return new Boaster(nm, g);
    return nullptr;
}
