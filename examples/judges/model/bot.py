"""Lets a command that completes text play any game: bot.py 'COMMAND'.

The command is started anew for each request. It reads a prompt, the dialogue of the game so far, and prints a reply.
"""

import subprocess
import sys

TASK = """\
You play a game. These are the lines that you heard and, after "->", what you replied to requests.
Reply to the last line with one line, and nothing else.

"""


def say(line):
    print(line, flush=True)


def complete(prompt):
    """Returns the last line of the completion, without the marks with which models like to decorate it."""
    done = subprocess.run(sys.argv[1], shell=True, input=prompt, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    lines = [line.strip(" #`*>\t") for line in done.stdout.splitlines()]
    lines = [line for line in lines if line]
    return lines[-1][:1000] if lines else "nothing"


dialogue, is_asked = [], False
for line in sys.stdin:
    line = line.rstrip("\n")
    command = line.split(" ")[0]
    if is_asked:
        is_asked = False
        reply = complete(TASK + "\n".join([*dialogue, line, "-> "]))
        dialogue += [line, f"-> {reply}"]
        say(reply)
    elif command == "battleship":
        say("plays any")
        say("ready")
    elif command == "game":
        dialogue = [line]
    elif command == "ask":  # the next line is a request
        is_asked = True
    elif command == "quit":
        break
    elif command != "clock":  # of no use to a model
        dialogue.append(line)
