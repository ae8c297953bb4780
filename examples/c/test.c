/* The first tests of the strategy: make test */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "strategy.h"

static struct game standard = {.rows = 10, .cols = 10, .ships = 5, .lengths = {5, 4, 3, 3, 2}, .seed = 1};

static void ships_lie_on_the_board_and_not_on_one_another(void) {
    struct place at[MAX_SHIPS];
    bool taken[MAX_SIDE][MAX_SIDE] = {{false}};
    new_game(standard);
    assert(place(at));
    for (int ship = 0; ship < standard.ships; ship++)
        for (int i = 0; i < standard.lengths[ship]; i++) {
            int row = at[ship].row + (at[ship].direction == 'v' ? i : 0);
            int col = at[ship].col + (at[ship].direction == 'h' ? i : 0);
            assert(0 <= row && row < 10 && 0 <= col && col < 10 && !taken[row][col]);
            taken[row][col] = true;
        }
}

static void ships_that_may_not_touch_do_not(void) {
    struct place at[MAX_SHIPS];
    struct game game = standard;
    game.apart = true;
    for (game.seed = 0; game.seed < 20; game.seed++) {
        int owner[MAX_SIDE][MAX_SIDE] = {{0}}; /* the ship, counted from 1 */
        new_game(game);
        assert(place(at));
        for (int ship = 0; ship < game.ships; ship++)
            for (int i = 0; i < game.lengths[ship]; i++)
                owner[at[ship].row + (at[ship].direction == 'v' ? i : 0)]
                     [at[ship].col + (at[ship].direction == 'h' ? i : 0)] = ship + 1;
        for (int i = 0; i < 100; i++)
            for (int j = 0; j < 100; j++)
                if (abs(i / 10 - j / 10) <= 1 && abs(i % 10 - j % 10) <= 1) {
                    int one = owner[i / 10][i % 10], other = owner[j / 10][j % 10];
                    assert(one == other || one == 0 || other == 0);
                }
    }
}

static void a_fleet_without_room_is_not_placed(void) {
    struct place at[MAX_SHIPS];
    new_game((struct game){.rows = 1, .cols = 2, .ships = 2, .lengths = {2, 1}});
    assert(!place(at));
}

static void no_cell_is_attacked_twice(void) {
    bool tried[MAX_SIDE][MAX_SIDE] = {{false}};
    new_game((struct game){.rows = 3, .cols = 7});
    for (int i = 0; i < 21; i++) {
        int row, col;
        attack(&row, &col);
        assert(!tried[row][col]);
        tried[row][col] = true;
    }
}

static void a_salvo_has_a_cell_for_each_shot(void) {
    struct cell cells[8];
    bool tried[2][4] = {{false}};
    new_game((struct game){.rows = 2, .cols = 4});
    salvo(5, cells);
    salvo(3, cells + 5);
    for (int i = 0; i < 8; i++) {
        assert(!tried[cells[i].row][cells[i].col]);
        tried[cells[i].row][cells[i].col] = true;
    }
    salvo(2, cells); /* no cell is left to try */
}

static void after_a_hit_comes_its_neighbour(void) {
    int row, col;
    new_game((struct game){.rows = 1, .cols = 9});
    result(0, 4, "hit", -1);
    attack(&row, &col);
    assert(row == 0 && (col == 3 || col == 5));
}

static void the_same_seed_gives_the_same_play(void) {
    struct place first[5], again[5];
    new_game(standard);
    place(first);
    new_game(standard);
    place(again);
    for (int ship = 0; ship < standard.ships; ship++)
        assert(first[ship].row == again[ship].row && first[ship].col == again[ship].col);
}

int main(void) {
    ships_lie_on_the_board_and_not_on_one_another();
    ships_that_may_not_touch_do_not();
    a_fleet_without_room_is_not_placed();
    no_cell_is_attacked_twice();
    a_salvo_has_a_cell_for_each_shot();
    after_a_hit_comes_its_neighbour();
    the_same_seed_gives_the_same_play();
    printf("all tests pass\n");
    return 0;
}
