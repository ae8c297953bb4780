/* The first tests of the strategy: make test */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
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
    a_fleet_without_room_is_not_placed();
    no_cell_is_attacked_twice();
    after_a_hit_comes_its_neighbour();
    the_same_seed_gives_the_same_play();
    printf("all tests pass\n");
    return 0;
}
