"""Stands in for a model: completes a prompt of bot.py at random with a reply that the judge has named, else with nonsense."""

import random
import sys

prompt = sys.stdin.read()
reason = prompt.splitlines()[-3]  # before the request and the arrow
_, colon, replies = reason.rpartition(": ")
if reason.startswith("again ") and colon:
    print(random.Random(prompt).choice(replies.split(", ")))  # the same prompt, the same reply
else:
    print("I would like to think about this.")
