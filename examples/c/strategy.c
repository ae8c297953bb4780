/* How the bot plays: the file to change. What it keeps from game to game it can learn from. */
#include <stdlib.h>
#include <string.h>
#include "strategy.h"

const char name[] = "Seadog";

static struct game game;
static bool taken[MAX_SIDE][MAX_SIDE]; /* by ships of our own, or too near to them */
static bool tried[MAX_SIDE * MAX_SIDE], near_hit[MAX_SIDE * MAX_SIDE]; /* cells, row by row */

void new_game(struct game next) {
    game = next;
    memset(tried, 0, sizeof tried);
    memset(near_hit, 0, sizeof near_hit);
    srand(game.seed); /* the same seed, the same game */
}

static bool has_room(struct place at, int length) {
    for (int i = 0; i < length; i++, at.direction == 'h' ? at.col++ : at.row++)
        if (at.row >= game.rows || at.col >= game.cols || taken[at.row][at.col]) return false;
    return true;
}

/* Takes a cell; if ships may not touch, also those around it. */
static void take(int row, int col) {
    for (int r = 0; r < game.rows; r++)
        for (int c = 0; c < game.cols; c++)
            if (abs(r - row) <= game.apart && abs(c - col) <= game.apart) taken[r][c] = true;
}

/* Puts a ship where there is room, at random; false if there is none. */
static bool place_ship(int length, struct place *chosen) {
    int found = 0;
    for (int i = 0; i < 2 * game.rows * game.cols; i++) {
        struct place at = {i / 2 / game.cols, i / 2 % game.cols, "hv"[i % 2]};
        if (has_room(at, length) && rand() % ++found == 0) *chosen = at; /* each is as likely */
    }
    struct place at = *chosen;
    for (int i = 0; found && i < length; i++, at.direction == 'h' ? at.col++ : at.row++)
        take(at.row, at.col);
    return found;
}

/* Says where each ship goes; false if there is no way. The longest ships choose first. */
bool place(struct place places[]) {
    for (int tries = 0; tries < 200; tries++) {
        bool placed = true;
        memset(taken, 0, sizeof taken);
        for (int length = MAX_SIDE; length > 0; length--)
            for (int ship = 0; ship < game.ships && placed; ship++)
                if (game.lengths[ship] == length) placed = place_ship(length, &places[ship]);
        if (placed) return true;
    }
    return false;
}

/* Says where to shoot: next to a hit if there is one, else anywhere. */
void attack(int *row, int *col) {
    int chosen = 0, found = 0;
    for (int near = 1; near >= 0 && !found; near--)
        for (int i = 0; i < game.rows * game.cols; i++)
            if (!tried[i] && near_hit[i] >= near && rand() % ++found == 0) chosen = i;
    tried[chosen] = true;
    *row = chosen / game.cols, *col = chosen % game.cols;
}

/* Says where all shots of a turn of the salvo game go. Their results come after the last shot. */
void salvo(int shots, struct cell cells[]) {
    for (int i = 0; i < shots; i++) attack(&cells[i].row, &cells[i].col);
}

/* Says what became of an attack: "miss", "hit", "sunk" (then ship is its number) or "wasted". */
void result(int row, int col, const char *what, int ship) {
    if (strcmp(what, "wasted") != 0) tried[row * game.cols + col] = true; /* a test may tell other attacks */
    if (strcmp(what, "sunk") == 0) memset(near_hit, 0, sizeof near_hit);
    if (strcmp(what, "hit") == 0)
        for (int i = 0; i < game.rows * game.cols; i++)
            if (abs(i / game.cols - row) + abs(i % game.cols - col) == 1) near_hit[i] = true;
}

/* Says where the opponent has shot. */
void opponent(int row, int col) {}
