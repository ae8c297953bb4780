// A stand-in for the course's file of this name, as far as its specification declares it.
#ifndef GLOBALS_INCLUDED
#define GLOBALS_INCLUDED

#include <cstdlib>

const int MAXROWS = 10;
const int MAXCOLS = 10;

enum Direction { HORIZONTAL, VERTICAL };

class Point
{
  public:
    Point() : r(0), c(0) {}
    Point(int rr, int cc) : r(rr), c(cc) {}
    int r;
    int c;
};

// A random number from 0 to limit - 1.
inline int randInt(int limit)
{
    return std::rand() % limit;
}

#endif
