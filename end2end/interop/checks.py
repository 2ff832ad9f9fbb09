"""What a vendor's client makes of the sandbox: one line per check, a summary, and an exit code that says it."""

import json
import os
import sys
import urllib.request

SANDBOX = os.environ.get("SANDBOX_URL", "http://127.0.0.1:4010").rstrip("/")


class Checks:
    """Runs checks one after the other; one that fails does not keep the others from running."""

    def __init__(self, client):
        self.done, self.differ = 0, 0
        print(client, flush=True)

    def check(self, what):
        """Decorates a check; the name it had then stands for what it returned."""

        def run(body):
            self.done += 1
            try:
                found = body()
            except Exception as why:  # whatever it is, it is what differed
                self.differ += 1
                words = " ".join(f"{type(why).__name__}: {why}".split())
                print(f"  DIFFERS  {what}: {words}", flush=True)
                return None
            print(f"  ok       {what}", flush=True)
            return found

        return run

    def end(self):
        print(f"  {self.done} checks, {self.differ} differ", flush=True)
        sys.exit(1 if self.differ else 0)


def same(found, wanted):
    """Both are equal, or the difference is told."""
    if found != wanted:
        raise AssertionError(f"{found!r} is not {wanted!r}")


def refused(kind, call, *arguments, **named):
    """The call must be refused with an error of this class, which is given back."""
    try:
        call(*arguments, **named)
    except kind as error:
        return error
    raise AssertionError("was not refused")


def admin(path, body):
    """Back to the seed; a fault to order. The only calls that no client of a vendor's makes."""
    request = urllib.request.Request(f"{SANDBOX}/admin/{path}", json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request) as answer:
        same(answer.status, 200)
