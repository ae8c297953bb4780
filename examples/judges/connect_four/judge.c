/* The judge of Connect Four, a game without chance: cc -O2 -Wall -Wextra -o judge judge.c */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6, COLS = 7, LINE = 4200 };

static char board[ROWS][COLS]; /* '.', 'X' for player 1, 'O' for player 2; row 0 is the lowest */

/* Reads a line of the referee, without its end. */
static void hear(char line[LINE]) {
    if (!fgets(line, LINE, stdin))
        exit(0);
    line[strcspn(line, "\n")] = '\0';
}

static void show(void) {
    for (int row = ROWS - 1; row >= 0; row--)
        printf("show * %.*s\n", COLS, board[row]);
    puts("show * 1234567");
}

/* Writes the columns that have room as "1, 2, 7", and returns how many there are. */
static int legal(char text[3 * COLS + 1]) {
    int count = 0;
    *text = '\0';
    for (int col = 0; col < COLS; col++)
        if (board[ROWS - 1][col] == '.')
            text += sprintf(text, "%s%d", count++ ? ", " : "", col + 1);
    return count;
}

/* The number of discs of this kind behind a cell, in one direction. */
static int run(int row, int col, int up, int right, char disc) {
    int count = 0;
    for (row += up, col += right; row >= 0 && row < ROWS && col >= 0 && col < COLS && board[row][col] == disc;
         row += up, col += right)
        count++;
    return count;
}

static int wins(int row, int col, char disc) {
    static const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int i = 0; i < 4; i++) {
        int up = directions[i][0], right = directions[i][1];
        if (run(row, col, up, right, disc) + 1 + run(row, col, -up, -right, disc) >= 4)
            return 1;
    }
    return 0;
}

/* Asks until the reply is a column with room, and returns that column. */
static int ask(int player) {
    char line[LINE], columns[3 * COLS + 1];
    legal(columns);
    printf("ask %d drop\n", player);
    for (;;) {
        fflush(stdout);
        hear(line);
        const char *reply = line + strlen("reply 1 ");
        /* A reply is one digit of the list: never trust atoi with what a bot says. */
        if (strlen(reply) == 1 && *reply >= '1' && *reply <= '7' && strchr(columns, *reply))
            return *reply - '1';
        printf("bad %d expected a column with room: %s\n", player, columns);
    }
}

static void play(void) {
    char columns[3 * COLS + 1];
    memset(board, '.', sizeof board);
    for (int player = 1; legal(columns); player = 3 - player) {
        show();
        char disc = player == 1 ? 'X' : 'O';
        int col = ask(player), row = 0;
        while (board[row][col] != '.')
            row++;
        board[row][col] = disc;
        printf("tell %d opponent %d\n", 3 - player, col + 1);
        if (wins(row, col, disc)) {
            show();
            printf("over %d four in a row\n", player);
            return;
        }
    }
    show();
    puts("over draw no column has room");
}

int main(void) {
    char line[LINE];
    for (;;) {
        hear(line);
        if (!strncmp(line, "judge", 5))
            puts("game connect4");
        else if (!strncmp(line, "begin", 5))
            play();
        else if (!strcmp(line, "quit"))
            return 0;
        fflush(stdout);
    }
}
