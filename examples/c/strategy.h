/* What bot.c asks of strategy.c. */
#include <stdbool.h>

#define MAX_SIDE 10
#define MAX_SHIPS 100
#define MAX_SHOTS 100

struct game { int rows, cols, ships, lengths[MAX_SHIPS]; unsigned seed; bool apart; }; /* apart: ships may not touch */
struct cell { int row, col; };
struct place { int row, col; char direction; }; /* the topmost or leftmost cell, 'h' or 'v' */
extern const char name[];

void new_game(struct game next);
bool place(struct place places[]);
void attack(int *row, int *col);
void salvo(int shots, struct cell cells[]);
void result(int row, int col, const char *what, int ship);
void opponent(int row, int col);
