"""The command hq, as far as examples/cluster/hyperqueue.sh uses it, on HyperQueue's own server, workers and client.

The Python package has all of HyperQueue but its command. Options are those of the command; unknown ones are refused.

    hq.py serve DIR WORKERS     starts a server with workers of one core, until standard input ends
    hq.py submit --wait ... -- COMMAND...
    hq.py --output-mode json job list

The file `jobs` in the folder of the server has the id and the name of each job, the file `arrays` the tasks.
"""

import argparse
import json
import os
import sys

from hyperqueue.ffi.client import ClientConnection
from hyperqueue.ffi.cluster import Cluster
from hyperqueue.ffi.protocol import JobDescription, ResourceRequest, TaskDescription

FOLDER = os.environ["HQ_SERVER_DIR"]
JOBS = os.path.join(FOLDER, "jobs")
ARRAYS = os.path.join(FOLDER, "arrays")


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
    # The command discards the output; this client has no option for that.
    words = ["/bin/sh", "-c", 'exec "$@" >/dev/null 2>&1', "sh", *arguments.command]

    def task(number):
        return TaskDescription(
            id=number,
            args=words,
            cwd=os.getcwd(),
            stdout=None,
            stderr=None,
            stdin=None,
            env={},
            dependencies=[],
            task_dir=False,
            priority=0,
            resource_request=[ResourceRequest(cpus=1)],
            crash_limit=arguments.crash_limit,
        )

    tasks = [task(number) for number in ids(arguments.array)]
    job = client.submit_job(JobDescription(name=arguments.name, tasks=tasks, max_fails=None))
    with open(JOBS, "a", encoding="utf-8") as jobs:
        print(job, arguments.name, file=jobs)
    with open(ARRAYS, "a", encoding="utf-8") as arrays:
        print(arguments.array, file=arrays)
    print(f"Job submitted successfully, job ID: {job}", flush=True)
    # Recent versions of the command succeed after failed tasks too.
    client.wait_for_jobs([job], lambda jobs: None)


def list_jobs(client):
    names = {}
    if os.path.exists(JOBS):
        with open(JOBS, encoding="utf-8") as jobs:
            names = {int(line.split()[0]): line.split()[1] for line in jobs}

    def print_and_leave(jobs):
        running = [job for job, stats in jobs.items() if stats["finished"] + stats["failed"] < stats["total"]]
        print(json.dumps([{"id": job, "name": names[job]} for job in running], indent=2), flush=True)
        # Without this wait_for_jobs would wait for the end of the jobs.
        os._exit(0)

    if names:
        client.wait_for_jobs(list(names), print_and_leave)
    print("[]")


def main():
    if sys.argv[1] == "serve":
        return serve(*sys.argv[2:])
    parser = argparse.ArgumentParser(prog="hq", allow_abbrev=False)
    parser.add_argument("--output-mode", choices=["json"])
    commands = parser.add_subparsers(dest="what", required=True)
    submitting = commands.add_parser("submit", allow_abbrev=False)
    submitting.add_argument("--wait", action="store_true", required=True)
    submitting.add_argument("--name", required=True)
    submitting.add_argument("--array", required=True)
    submitting.add_argument("--pin", choices=["taskset", "omp"])
    submitting.add_argument("--crash-limit", type=int, required=True)
    for option in ["stdout", "stderr"]:
        submitting.add_argument(f"--{option}", choices=["none"], required=True)
    submitting.add_argument("command", nargs="+")
    job = commands.add_parser("job", allow_abbrev=False)
    job.add_argument("what_of_it", choices=["list"])
    arguments = parser.parse_args()
    client = ClientConnection(FOLDER)
    if arguments.what == "submit":
        submit(client, arguments)
    else:
        list_jobs(client)


main()
