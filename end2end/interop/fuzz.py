"""Our REST interface under a fuzzer that knows only its OpenAPI document: `fuzz.py guest|staff`.

In the environment: HOTEL_URL, TOKEN, SANDBOX_URL, GUEST (an email that the token or the staff may act for).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from checks import Checks

#: No 5xx, and nothing that the document does not say: status, headers, type and shape of the answer, methods; what the
#: document forbids is refused. That every allowed input is *accepted* is not asked: an unknown booking is a 404.
CHECKS = """not_a_server_error status_code_conformance content_type_conformance response_headers_conformance
response_schema_conformance negative_data_rejection missing_required_header unsupported_method allow_header_conformance
ignored_auth""".split()

#: One caller may call 600 times a minute; beyond, every answer would be the same 429.
PACE = "9/s"
#: Inputs made up for each tool, beside those at the edges of its schema. The seed makes a failure come again.
MADE_UP, SEED = "60", "4"


def run(persona, folder):
    tally, here = folder / "tally.json", pathlib.Path(__file__).parent
    hotel, token = os.environ["HOTEL_URL"], os.environ["TOKEN"]
    told = subprocess.run(
        [
            pathlib.Path(sys.executable).with_name("schemathesis"), "run", f"{hotel}/api/openapi.json",
            "--include-path-regex", f"^/api/{persona}/", "--header", f"Authorization: Bearer {token}",
            "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--max-examples", MADE_UP,
            "--rate-limit", PACE, "--seed", SEED, "--generation-database", "none", "--continue-on-failure",
            "--suppress-health-check", "all", "--warnings", "off", "--no-color",
        ],
        env={**os.environ, "PERSONA": persona, "TALLY": str(tally), "SCHEMATHESIS_HOOKS": "hooks",
             "PYTHONPATH": str(here)},
        cwd=folder, stdout=subprocess.PIPE, text=True,
    )
    seen = json.loads(tally.read_text()) if tally.exists() else {}
    return told, {path: {int(status): n for status, n in statuses.items()} for path, statuses in seen.items()}


peer = Checks(f"schemathesis, {sys.argv[1]}")
with tempfile.TemporaryDirectory() as place:
    outcome, reached = run(sys.argv[1], pathlib.Path(place))

for path, statuses in reached.items():

    @peer.check(f"{path}: " + ", ".join(f"{status} × {count}" for status, count in statuses.items()))
    def _():
        broken = [status for status in statuses if status >= 500]
        assert not broken, f"answered {broken}"
        # A tool that never looked at its input was not tried.
        assert any(status < 300 or status in (402, 404, 409, 422) for status in statuses), "nothing got past the door"


@peer.check("every tool of the document was tried, and some calls of reading and writing tools succeeded")
def _():
    succeeded = [path for path, statuses in reached.items() if any(status < 300 for status in statuses)]
    assert any(path.endswith("/get_folio") for path in succeeded), succeeded
    assert any(path.endswith("/check_in_guest") for path in succeeded), succeeded


@peer.check("no server error, no answer that the document does not describe, nothing forbidden that is accepted")
def _():
    if outcome.returncode != 0:
        print(outcome.stdout)
        raise AssertionError("see above")


peer.end()
