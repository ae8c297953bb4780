"""The judge of tic-tac-toe. It knows the rules; the referee does everything else."""

import sys

LINES = "123", "456", "789", "147", "258", "369", "159", "357"


def say(*words):
    print(*words, flush=True)  # without flush the referee would wait in vain


def play():
    """Plays one game, from `begin` to `over`."""
    board = {cell: cell for cell in "123456789"}  # a free cell shows its number
    player, opponent = 1, 2
    while True:
        for row in LINES[:3]:
            say("show *", " ".join(board[cell] for cell in row))
        free = [cell for cell in board if board[cell] == cell]
        if any(len({board[cell] for cell in line}) == 1 for line in LINES):
            return say("over", opponent, "three in a row")
        if not free:
            return say("over draw no free cell")
        say("ask", player, "move")
        reply = input()[8:]  # what follows `reply 1 `
        while reply not in free:
            say("bad", player, "expected a free cell:", ", ".join(free))
            reply = input()[8:]
        board[reply] = "XO"[player - 1]
        say("tell", opponent, "opponent", reply)
        player, opponent = opponent, player


sys.stdin.reconfigure(encoding="utf-8")  # on Windows too: a bot may reply anything
for line in sys.stdin:
    if line.startswith("judge"):
        say("game tictactoe")
    elif line.startswith("begin"):
        play()
    elif line.startswith("quit"):
        break
