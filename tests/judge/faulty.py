"""A judge for tests: two players attack in turn, and the second one wins with its third attack.

faulty.py [MOMENT TEXT [TIMES [DEED]]]: at this moment it says the text so many times instead of its own lines, for which ITS
stands, and then does the deed. Moments are a line from the referee (judge, begin, reply, quit), its second reply of a game
(turn), the last one (over), and one that is `hello`.
"""

import os
import sys

moment, text, times, deed = sys.argv[1:] + ["", "", "1", ""][len(sys.argv) - 1 :]


def answer(now, lines):
    if now != moment:
        return os.write(1, "".join(line + "\n" for line in lines).encode())
    said = text.replace("ITS", "".join(line + "\\n" for line in lines))
    said = said.encode().decode("unicode_escape").encode("latin-1") * int(times)
    while said:
        said = said[os.write(1, said) :]
    if deed == "close":
        os.close(1)
    elif deed == "stay":
        sys.stdin.read()
    elif deed:
        os._exit(int(deed))


turns = 0
for line in sys.stdin:
    word, *words = line.rstrip("\n").split(" ")
    if word == "judge":
        answer(word, ["game turns 10 10"])
    elif word == "begin":
        turns = 0
        answer(word, [f"show * seed {words[0]}", "ask 1 attack"])
    elif word == "quit":
        answer(word, [])
        if moment != "quit":
            break
    elif words[1] == "hello" and moment == "hello":
        answer("hello", [])
    elif words[1] != "attack":
        answer("bad", [f"bad {words[0]} expected a cell, as in: attack 0 0, attack 5 5"])
    else:
        turns += 1
        other = 3 - int(words[0])
        lines = [f"figure {words[0]} turns {turns}", f"tell {other} seen {turns}", f"ask {other} attack"]
        if turns == 6:
            answer("over", lines[:2] + ["over 2 has attacked three times"])
        else:
            answer("turn" if turns == 2 else "reply", lines)
