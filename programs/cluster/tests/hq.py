"""The command hq, as far as the referee uses it, on HyperQueue's own server, workers and client.

The Python package has all of HyperQueue but its command. Options are those of the command; unknown ones are refused.

    hq.py serve DIR WORKERS     starts a server with workers of one core, until standard input ends
    hq.py --output-mode json submit ... -- COMMAND...
    hq.py --output-mode json job info ID
"""

import argparse
import json
import os
import sys

from hyperqueue.ffi.client import ClientConnection
from hyperqueue.ffi.cluster import Cluster
from hyperqueue.ffi.protocol import JobDescription, ResourceRequest, TaskDescription


def serve(folder, workers):
    cluster = Cluster(folder)
    for _ in range(int(workers)):
        cluster.add_worker(1)
    print("ready", flush=True)
    sys.stdin.read()
    # Tasks that still run go with it.
    os._exit(0)


def ids(ranges):
    for text in ranges.split(","):
        first, _, last = text.partition("-")
        yield from range(int(first), int(last or first) + 1)


def submit(client, arguments):
    command = arguments.command
    assert arguments.stdout == arguments.stderr == "none"
    # The command discards the output; this client has no word for that.
    words = ["/bin/sh", "-c", 'exec "$@" >/dev/null 2>&1', "sh", *command]

    def task(number):
        return TaskDescription(
            id=number,
            args=words,
            cwd=arguments.cwd,
            stdout=None,
            stderr=None,
            stdin=None,
            env={},
            dependencies=[],
            task_dir=False,
            priority=0,
            resource_request=[ResourceRequest(cpus=arguments.cpus)],
            crash_limit=arguments.crash_limit,
        )

    tasks = [task(number) for number in ids(arguments.array)]
    job = client.submit_job(JobDescription(name=arguments.name, tasks=tasks, max_fails=None))
    print(json.dumps({"id": job}))


def info(client, job):
    def print_and_leave(jobs):
        stats = jobs[job]
        ended = stats["finished"] + stats["failed"]
        counts = {
            "finished": stats["finished"],
            "failed": stats["failed"],
            "canceled": 0,
            # The client does not tell those that run from those that wait.
            "running": stats["total"] - ended,
            "waiting": 0,
        }
        described = {"info": {"id": job, "task_count": stats["total"], "task_stats": counts}}
        print(json.dumps([described]), flush=True)
        # It would wait for the end of the job otherwise.
        os._exit(0)

    client.wait_for_jobs([job], print_and_leave)


def main():
    if sys.argv[1] == "serve":
        return serve(*sys.argv[2:])
    parser = argparse.ArgumentParser(prog="hq", allow_abbrev=False)
    parser.add_argument("--output-mode", choices=["json"], required=True)
    commands = parser.add_subparsers(dest="what", required=True)
    submitting = commands.add_parser("submit", allow_abbrev=False)
    for option in ["name", "array", "cwd", "stdout", "stderr"]:
        submitting.add_argument(f"--{option}", required=True)
    submitting.add_argument("--cpus", type=int, required=True)
    submitting.add_argument("--crash-limit", type=int, required=True)
    submitting.add_argument("--pin", choices=["taskset", "omp"])
    submitting.add_argument("command", nargs="+")
    job = commands.add_parser("job", allow_abbrev=False)
    job.add_argument("what_of_it", choices=["info"])
    job.add_argument("id", type=int)
    arguments = parser.parse_args()
    client = ClientConnection(os.environ["HQ_SERVER_DIR"])
    if arguments.what == "submit":
        submit(client, arguments)
    else:
        info(client, arguments.id)


main()
