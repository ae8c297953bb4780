/* A bot that uses OpenMP: with OMP_PROC_BIND each of its threads chooses its core, and the program ends if it may not. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[4096];
    int rows = 1, cols = 1, shots = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "battleship", 10)) {
            puts("ready");
        } else if (sscanf(line, "game classic %d %d", &rows, &cols) == 2) {
            shots = 0;
        } else if (!strncmp(line, "place", 5)) {
            puts("place 0 0 h");
        } else if (!strncmp(line, "attack", 6)) {
            int sum = 0;
            #pragma omp parallel for num_threads(4) reduction(+ : sum)
            for (int i = 0; i < 1000; i++) sum += i % 2;
            if (sum != 500) return 1;
            printf("attack %d %d\n", shots / cols % rows, shots % cols);
            shots++;
        } else if (!strncmp(line, "quit", 4)) {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}
