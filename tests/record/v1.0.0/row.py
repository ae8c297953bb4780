# A bot that places its ships in the first rows and attacks cell after cell.
# usage: row.py MODE N
# In each N-th game it fails in its third turn as MODE says: crash, resign or
# junk. With talk it sends comments and figures, with slow each reply takes 20 ms.
import sys
import time

fault, every = sys.argv[1], int(sys.argv[2])
game, ships, cells = 0, [], []
def reply(text):
    print(text, flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "battleship":
        reply("name Row\nauthor The authors of the referee\nready")
    elif words[0] == "game":
        game += 1
        rows, cols, ships, turn = int(words[2]), int(words[3]), [], 0
        cells = [(row, col) for row in range(rows) for col in range(cols)]
    elif words[0] == "ship":
        ships.append(int(words[2]))
    elif words[0] == "place":
        reply("place " + " ".join(f"{row} 0 h" for row in range(len(ships))))
    elif words[0] == "attack":
        turn += 1
        bad = game % every == 0 and turn == 3
        if bad and fault == "crash":
            sys.exit("row.py: no idea how to go on")
        elif bad and fault == "resign":
            reply("resign")
        elif bad and fault == "junk":
            reply("fire 3 4")
        elif fault == "talk":
            row, col = cells.pop()
            reply(f"# turn {turn}\n# cells = {len(cells)}\n# row = {row}.5\nattack {row} {col}")
            print("thinking of", row, col, file=sys.stderr)
        else:
            time.sleep(0.02 if fault == "slow" else 0)
            row, col = cells.pop(0)
            reply(f"attack {row} {col}")
    elif words[0] == "quit":
        break
