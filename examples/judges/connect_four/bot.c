/* A bot for Connect Four. It takes a win, prevents one, and else plays at random: cc -O2 -Wall -Wextra -o bot bot.c */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6, COLS = 7, LINE = 4200 };

static char board[ROWS][COLS];
static unsigned state; /* of the random numbers */

/* Drops a disc and returns its row, or -1 if the column is full. */
static int drop(int col, char disc) {
    for (int row = 0; row < ROWS; row++)
        if (!board[row][col]) {
            board[row][col] = disc;
            return row;
        }
    return -1;
}

/* The number of discs of this kind behind a cell, in one direction. */
static int run(int row, int col, int up, int right, char disc) {
    int count = 0;
    for (row += up, col += right; row >= 0 && row < ROWS && col >= 0 && col < COLS && board[row][col] == disc;
         row += up, col += right)
        count++;
    return count;
}

/* Whether a disc in this column makes four in a row. */
static int wins(int col, char disc) {
    static const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int row = drop(col, disc), longest = 0;
    if (row < 0)
        return 0;
    for (int i = 0; i < 4; i++) {
        int up = directions[i][0], right = directions[i][1];
        int length = run(row, col, up, right, disc) + 1 + run(row, col, -up, -right, disc);
        longest = length > longest ? length : longest;
    }
    board[row][col] = 0;
    return longest >= 4;
}

static int choose(void) {
    for (const char *disc = "XO"; *disc; disc++) /* mine are X, those of the opponent O */
        for (int col = 0; col < COLS; col++)
            if (wins(col, *disc))
                return col;
    for (;;) {
        state = state * 1103515245u + 12345u;
        int col = (state >> 16) % COLS;
        if (!board[ROWS - 1][col])
            return col;
    }
}

int main(void) {
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "battleship ", 11)) {
            puts("plays connect4\nready");
        } else if (!strncmp(line, "game ", 5)) {
            memset(board, 0, sizeof board);
        } else if (!strncmp(line, "seed ", 5)) {
            state = (unsigned)strtoul(line + 5, NULL, 10);
        } else if (!strncmp(line, "opponent ", 9)) {
            drop(line[9] - '1', 'O');
        } else if (!strcmp(line, "drop")) {
            int col = choose();
            drop(col, 'X');
            printf("%d\n", col + 1);
        } else if (!strcmp(line, "quit")) {
            break;
        }
        fflush(stdout); /* or the referee waits in vain */
    }
    return 0;
}
