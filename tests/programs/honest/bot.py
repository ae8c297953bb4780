"""A bot that arranges its own process as libraries do: its cores, its priority, threads, and a lock between processes."""

import multiprocessing
import os
import sys
import threading

os.sched_setaffinity(os.getpid(), os.sched_getaffinity(0))
os.sched_setaffinity(threading.get_native_id(), os.sched_getaffinity(0))
os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
os.nice(1)
os.setpriority(os.PRIO_PROCESS, os.getpid(), 2)
lock = multiprocessing.Lock() if "lock" in sys.argv else threading.Lock()
rows = cols = 1
for line in sys.stdin:
    words = line.split()
    if words[0] == "battleship":
        print("ready", flush=True)
    elif words[0] == "game":
        rows, cols, shots = int(words[2]), int(words[3]), 0
    elif words[0] == "place":
        print("place 0 0 h", flush=True)
    elif words[0] == "attack":
        replies = []
        thread = threading.Thread(target=lambda: replies.append((shots // cols % rows, shots % cols)))
        with lock:
            thread.start()
            thread.join()
        print("attack", *replies[0], flush=True)
        shots += 1
    elif words[0] == "quit":
        break
