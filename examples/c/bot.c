/* Speaks the protocol for the strategy in strategy.c. Nothing to change here. */
#include <stdio.h>
#include <string.h>
#include "strategy.h"

static void say_places(struct game game) {
    struct place places[MAX_SHIPS];
    new_game(game);
    bool placed = place(places);
    printf(placed ? "place" : "place none");
    for (int i = 0; placed && i < game.ships; i++)
        printf(" %d %d %c", places[i].row, places[i].col, places[i].direction);
    printf("\n");
}

static void say_salvo(int shots) {
    struct cell cells[MAX_SHOTS];
    if (shots > MAX_SHOTS) shots = MAX_SHOTS;
    salvo(shots, cells);
    printf("salvo");
    for (int i = 0; i < shots; i++) printf(" %d %d", cells[i].row, cells[i].col);
    printf("\n");
}

int main(void) {
    char line[5000], command[5000], what[5000];
    struct game game = {0};
    while (fgets(line, sizeof line, stdin)) {
        int row, col, shots, ship = -1;
        if (sscanf(line, "%s", command) != 1) continue;
        if (strcmp(command, "quit") == 0) break;
        if (strcmp(command, "battleship") == 0) printf("name %s\nplays classic salvo apart\nready\n", name);
        if (strcmp(command, "place") == 0) say_places(game);
        if (strcmp(command, "attack") == 0) {
            attack(&row, &col);
            printf("attack %d %d\n", row, col);
        }
        if (sscanf(line, "salvo %d", &shots) == 1) say_salvo(shots);
        if (sscanf(line, "game %*s %d %d", &row, &col) == 2) game = (struct game){row, col};
        if (sscanf(line, "ship %*d %d", &game.lengths[game.ships]) == 1) game.ships++;
        if (strncmp(line, "rule apart", 10) == 0) game.apart = true;
        sscanf(line, "seed %u", &game.seed);
        if (sscanf(line, "result %d %d %s %d", &row, &col, what, &ship) >= 3) result(row, col, what, ship);
        if (sscanf(line, "opponent %d %d", &row, &col) == 2) opponent(row, col);
        fflush(stdout); /* or the referee would wait in vain */
    }
}
