"""Stripe's own Python client against the sandbox."""

import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import stripe

from checks import SANDBOX, Checks, admin, refused, same

VERSION = "2026-10-28.endive"


def client(key="sk_test_peer", retries=0):
    return stripe.StripeClient(
        key, base_addresses={"api": SANDBOX}, stripe_version=VERSION, max_network_retries=retries
    )


api = client().v1
peer = Checks(f"stripe {stripe.VERSION} (Python)")
admin("reset", {"seed": 1})


@peer.check("customers: create, at the pinned version")
def customer():
    made = api.customers.create({"email": "Peer@example.com", "metadata": {"contact": "003"}})
    same(made.metadata["contact"], "003")
    same(made.last_response.headers["stripe-version"], VERSION)
    assert made.last_response.request_id.startswith("req_")
    return made.id


@peer.check("customers: list by email, letter by letter, at once")
def _():
    same([one.id for one in api.customers.list({"email": "Peer@example.com"}).data], [customer])
    same(api.customers.list({"email": "peer@example.com"}).data, [])


@peer.check("payment_methods: attach, list both ways, retrieve")
def _():
    card = api.payment_methods.attach("pm_card_visa", {"customer": customer})
    same([one.id for one in api.payment_methods.list({"customer": customer, "type": "card"}).data], [card.id])
    same([one.id for one in api.customers.payment_methods.list(customer).data], [card.id])
    same(api.payment_methods.retrieve(card.id).card.last4, "4242")


def order(**more):
    return {"amount": 25_000, "currency": "usd", "customer": customer, "allowed_payment_method_types": ["card"], **more}


def pay(card="pm_card_visa", key=None, **more):
    return api.payment_intents.create(
        order(payment_method=card, confirm=True, **more), {"idempotency_key": key} if key else {}
    )


@peer.check("payment_intents: create and confirm in one call, retrieve with its charge")
def paid():
    made = pay(metadata={"operation_id": "exe_1"})
    same((made.status, made.amount_received), ("succeeded", 25_000))
    found = api.payment_intents.retrieve(made.id, {"expand": ["latest_charge"]})
    same((found.latest_charge.id, found.latest_charge.paid), (made.latest_charge, True))
    same(found.metadata["operation_id"], "exe_1")
    return made


@peer.check("payment_intents: create, then confirm; create, then cancel")
def _():
    intent = api.payment_intents.create(order())
    same(api.payment_intents.confirm(intent.id, {"payment_method": "pm_card_mastercard"}).status, "succeeded")
    error = refused(stripe.InvalidRequestError, api.payment_intents.cancel, intent.id)
    same((error.code, error.http_status), ("payment_intent_unexpected_state", 400))
    same(api.payment_intents.cancel(api.payment_intents.create(order()).id).status, "canceled")


@peer.check("3D Secure is an answer, and off session a decline")
def _():
    asked = pay("pm_card_authenticationRequired", return_url="https://hotel.example/back")
    same((asked.status, asked.next_action.type), ("requires_action", "redirect_to_url"))
    error = refused(stripe.CardError, pay, "pm_card_authenticationRequired", off_session=True)
    same((error.code, error.http_status), ("authentication_required", 402))


@peer.check("a decline is a CardError that names charge and intent")
def _():
    error = refused(stripe.CardError, pay, "pm_card_visa_chargeDeclinedInsufficientFunds")
    same((error.code, error.http_status), ("card_declined", 402))
    same((error.error.decline_code, error.error.type), ("insufficient_funds", "card_error"))
    same(error.error.payment_intent.status, "requires_payment_method")
    assert error.error.charge.startswith("ch_") and error.user_message


@peer.check("idempotency: the same key again is the same payment, and says so")
def _():
    key = f"peer-{time.time()}"
    first, again = pay(key=key), pay(key=key)
    same(again.id, first.id)
    same(first.last_response.headers.get("idempotent-replayed"), None)
    same(again.last_response.headers["idempotent-replayed"], "true")
    same(again.last_response.idempotency_key, key)
    same(refused(stripe.IdempotencyError, pay, key=key, amount=701).http_status, 400)


@peer.check("the client's own retry after a lost answer pays once")
def _():
    owner = api.customers.create({"email": "lost@example.com"}).id
    admin("faults", {"system": "stripe", "operation": "payment_intent_create", "kind": "reset_after_effect"})
    wanted = {**order(payment_method="pm_card_visa", confirm=True), "customer": owner}
    made = client(retries=2).v1.payment_intents.create(wanted)
    same([one.id for one in api.payment_intents.list({"customer": owner}).data], [made.id])


@peer.check("lists: pages of their own accord, newest first, nothing twice")
def _():
    owner = api.customers.create({"email": "pages@example.com"}).id
    made = [api.payment_intents.create({**order(), "customer": owner}).id for _ in range(23)][::-1]
    pages = api.payment_intents.list({"customer": owner, "limit": 5})
    same([one.id for one in pages.auto_paging_iter()], made)
    back = api.payment_intents.list({"customer": owner, "limit": 5, "ending_before": made[10]})
    same([one.id for one in back.data], made[5:10])


@peer.check("refunds: a part, retrieve, list, the rest, and no more")
def _():
    part = api.refunds.create({"payment_intent": paid.id, "amount": 10_000, "reason": "requested_by_customer"})
    same((part.status, api.refunds.retrieve(part.id).charge), ("succeeded", paid.latest_charge))
    same(refused(stripe.InvalidRequestError, api.refunds.create, {"payment_intent": paid.id, "amount": 15_001}).http_status, 400)
    rest = api.refunds.create({"charge": paid.latest_charge})
    same([one.id for one in api.refunds.list({"payment_intent": paid.id}).auto_paging_iter()], [rest.id, part.id])
    error = refused(stripe.InvalidRequestError, api.refunds.create, {"payment_intent": paid.id})
    same(error.code, "charge_already_refunded")


@peer.check("errors: unknown id, unknown parameter, wrong key, too many requests")
def _():
    error = refused(stripe.InvalidRequestError, api.payment_intents.retrieve, "pi_nobody")
    same((error.code, error.http_status), ("resource_missing", 404))
    same(refused(stripe.InvalidRequestError, api.customers.create, {"emial": "x"}).param, "emial")
    same(refused(stripe.AuthenticationError, client("pk_test_wrong").v1.customers.list).http_status, 401)
    admin("faults", {"system": "stripe", "operation": "customers", "kind": "status", "status": 429})
    same(refused(stripe.RateLimitError, api.customers.list).http_status, 429)


told = []


class Listener(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        told.append((body, self.headers["stripe-signature"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


listener = HTTPServer(("127.0.0.1", 0), Listener)
threading.Thread(target=listener.serve_forever, daemon=True).start()


@peer.check("webhook_endpoints: create, hear of a payment, construct_event")
def _():
    url = f"http://127.0.0.1:{listener.server_port}/webhooks"
    wanted = {"url": url, "enabled_events": ["payment_intent.succeeded"], "api_version": VERSION}
    endpoint = api.webhook_endpoints.create(wanted)
    try:
        intent = pay()
        until = time.time() + 10
        while not told and time.time() < until:
            time.sleep(0.05)
        body, signature = told[0]
        found = stripe.Webhook.construct_event(body, signature, endpoint.secret)
        same((found.type, found.data.object["id"]), ("payment_intent.succeeded", intent.id))
        refused(stripe.SignatureVerificationError, stripe.Webhook.construct_event, body, signature, "whsec_other")
        refused(stripe.SignatureVerificationError, stripe.Webhook.construct_event, body + b" ", signature, endpoint.secret)
        same(api.events.retrieve(found.id).type, found.type)
    finally:
        same(api.webhook_endpoints.delete(endpoint.id).deleted, True)


peer.end()
