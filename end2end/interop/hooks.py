"""What the fuzzer knows of the hotel besides its document: names that exist.

Made-up names alone would only ever be told that there is no such guest, booking or execution. So of most valid inputs the
members that name something are given names from the sandbox's books, or from earlier answers. Invalid inputs stay as
they are. Every answer is counted, for whoever wants to see what was reached.
"""

import atexit
import collections
import datetime
import json
import os
import random
import re
import urllib.request

import schemathesis

DICE = random.Random(4)
PERSONA = os.environ["PERSONA"]
GUEST = os.environ["GUEST"]


def books():
    with urllib.request.urlopen(f"{os.environ['SANDBOX_URL']}/admin/state") as answer:
        return json.load(answer)


def stays(org):
    """Who has which booking in which room; the members of one call should be of one stay."""
    emails = {one["Id"]: one["Email"] for one in org["Contact"] if one["Email"]}
    rooms = {one["Id"]: one["Room_Number__c"] for one in org["Hotel_Room__c"]}
    found = [
        {
            "guest_email": emails.get(one["Primary_Guest__c"]),
            "booking_number": one["Name"],
            "room_number": rooms.get(one["Room__c"]),
            "in_house": one["Status__c"] == "Checked In",
        }
        for one in org["Booking__c"]
    ]
    whole = [one for one in found if one["guest_email"] and one["room_number"]]
    return [one for one in whole if PERSONA == "staff" or one["guest_email"] == GUEST]


def days(first, last):
    today = datetime.date.today()
    return [(today + datetime.timedelta(days=n)).isoformat() for n in range(first, last)]


ORG = books()["salesforce"]
STAYS = stays(ORG)
ROOMS = [one["Room_Number__c"] for one in ORG["Hotel_Room__c"]]
KNOWN = {
    "case_number": [one["CaseNumber"] for one in ORG["Case"]],
    "charge_number": [one["Name"] for one in ORG["Payment_Transaction__c"]],
    "query": [stay[name] for stay in STAYS[:3] for name in ("guest_email", "booking_number", "room_number")],
    "payment_method_id": ["pm_card_visa", "pm_card_chargeDeclined", "pm_card_authenticationRequired"],
    "check_in_date": days(0, 10),
    "check_out_date": days(10, 20),
    "email": [stay["guest_email"] for stay in STAYS] + [f"new{n}@example.com" for n in range(5)],
    "execution_id": [],
    "payment_intent_id": [],
}
#: Of whom is the booking, and what was owed for it when that was last asked.
OWED = {}
TALLY = collections.defaultdict(collections.Counter)


@schemathesis.hook
def before_call(context, case, kwargs):
    if not (case.meta and case.meta.generation.mode.is_positive and isinstance(case.body, dict)):
        return
    if "Idempotency-Key" in (case.headers or {}) and DICE.random() < 0.7:
        case.headers["Idempotency-Key"] = f"fuzz-{DICE.getrandbits(64):x}"
    if DICE.random() < 0.2:
        return
    stay = DICE.choice(STAYS)
    for name in case.body:
        case.body[name] = stay.get(name) or DICE.choice(KNOWN.get(name) or [case.body[name]])
    meet_rules(case.operation.path.rsplit("/", 1)[1], case.body)


def meet_rules(tool, body):
    """What holds between members, of which a schema of members says nothing."""
    if tool == "process_guest_checkout" and OWED:
        number, (guest, balance) = DICE.choice(list(OWED.items()))
        body.update(booking_number=number, guest_email=guest, amount=balance)
        body.pop("room_number", None)
    elif tool == "post_charge" and DICE.random() < 0.7:
        number = DICE.choice([stay["booking_number"] for stay in STAYS if stay["in_house"]])
        body.clear()
        body.update(booking_number=number, amount=DICE.randint(100, 9_900), description="Minibar")
    elif tool == "create_booking":
        # A room or a type, and few enough people for either.
        body.pop(DICE.choice(["room_number", "room_type"]), None)
        if "room_number" not in body:
            body["room_type"] = DICE.choice(["Standard", "Deluxe", "Suite"])
        body["number_of_guests"] = DICE.randint(1, 2)
    elif tool == "manage_bookings":
        changes = [name for name in body if name not in ("booking_number", "action")]
        for name in changes if "action" in body and body["action"] != "update" else changes[1:]:
            del body[name]
    elif tool in ("set_room_status", "submit_maintenance_request"):
        body["room_number"] = DICE.choice(ROOMS)
    elif tool == "manage_cases" and DICE.random() < 0.5:
        body.pop("case_number", None)
        body.update(subject="A dripping tap", type="Maintenance")


@schemathesis.hook
def after_call(context, case, response):
    TALLY[case.operation.path][response.status_code] += 1
    for name, looks in {"execution_id": r"exe_[0-9a-f]{32}", "payment_intent_id": r"pi_[A-Za-z0-9]+"}.items():
        for found in re.findall(looks, response.text):
            if found not in KNOWN[name]:
                KNOWN[name].append(found)
    if case.operation.path.endswith("/get_folio") and response.status_code == 200:
        folio = response.json()["data"]
        OWED[folio["booking_number"]] = (case.body.get("guest_email", GUEST), folio["balance"])


@atexit.register
def write():
    with open(os.environ["TALLY"], "w") as file:
        json.dump({path: dict(sorted(seen.items())) for path, seen in sorted(TALLY.items())}, file)
