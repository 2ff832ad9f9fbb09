"""simple-salesforce, the Salesforce client most Python programs use, against the sandbox."""

import importlib.metadata
import time
from collections import OrderedDict

import requests
from requests.adapters import HTTPAdapter
from simple_salesforce import Salesforce, format_soql
from simple_salesforce import exceptions as errors

from checks import SANDBOX, Checks, admin, refused, same


class Plain(HTTPAdapter):
    """The client speaks https and `*.salesforce.com` only; the sandbox is on this machine and in plain."""

    def send(self, request, **options):
        request.url = SANDBOX + request.path_url
        return super().send(request, **options)


def connect(secret="sandbox"):
    session = requests.Session()
    session.mount("https://", Plain())
    return Salesforce(consumer_key="peer", consumer_secret=secret, domain="hotel.my", session=session, version="62.0")


peer = Checks(f"simple-salesforce {importlib.metadata.version('simple-salesforce')} (Python)")
admin("reset", {"seed": 1})
subject = f"Peer {time.time()}"


@peer.check("login by client credentials")
def org():
    made = connect()
    same(f"http://{made.sf_instance}", SANDBOX)
    return made


@peer.check("login with a wrong secret is refused")
def _():
    same(refused(errors.SalesforceAuthenticationFailed, connect, "wrong").code, "invalid_client")


@peer.check("query with a relationship two levels up, its words escaped")
def _():
    soql = format_soql(
        "SELECT Id, Primary_Guest__r.Email, Opportunity__r.Account.Name FROM Booking__c "
        "WHERE Primary_Guest__r.Email = {} AND Status__c IN {} LIMIT {}",
        "nora.o'brien@example.com", ["Reserved", "Checked In", "Checked Out"], 5,
    )
    found = org.query(soql)
    assert found["done"] and found["totalSize"] == len(found["records"]) > 0, found
    same(found["records"][0]["Primary_Guest__r"]["Email"], "nora.o'brien@example.com")
    same(found["records"][0]["attributes"]["type"], "Booking__c")


@peer.check("query with a subquery; no children is null")
def _():
    found = org.query("SELECT Id, (SELECT Id, Status__c FROM Bookings__r) FROM Contact")["records"]
    with_stays = [one for one in found if one["Bookings__r"]]
    same(with_stays[0]["Bookings__r"]["records"][0]["attributes"]["type"], "Booking__c")
    assert any(one["Bookings__r"] is None for one in found)


@peer.check("query_more by url and by locator, query_all")
def _():
    batch = [{"attributes": {"type": "Case"}, "Subject": f"{subject} page {n}"} for n in range(200)]
    for records in (batch, batch[:5]):
        made = org.restful("composite/sobjects", method="POST", json={"allOrNone": True, "records": records})
        assert all(one["success"] for one in made), made
    soql = format_soql("SELECT Id FROM Case WHERE Subject LIKE '{:like}%'", f"{subject} page ")
    org.headers["Sforce-Query-Options"] = "batchSize=200"
    try:
        first = org.query(soql)
        everything = org.query_all(soql)
        one_by_one = list(org.query_all_iter(soql))
    finally:
        del org.headers["Sforce-Query-Options"]
    same((first["totalSize"], len(first["records"]), first["done"]), (205, 200, False))
    by_url = org.query_more(first["nextRecordsUrl"], identifier_is_url=True)
    by_locator = org.query_more(first["nextRecordsUrl"].rsplit("/", 1)[1])
    same((len(by_url["records"]), by_url["done"], by_url["totalSize"]), (5, True, 205))
    same(by_locator["records"], by_url["records"])
    same((len({one["Id"] for one in everything["records"]}), everything["done"], len(one_by_one)), (205, True, 205))


@peer.check("create, get, update, delete, and then it is gone")
def _():
    made = org.Case.create({"Subject": subject, "Priority": "High"})
    same((made["success"], made["errors"]), (True, []))
    found = org.Case.get(made["id"])
    assert isinstance(found, OrderedDict)
    same((found["Subject"], found["Status"], found["IsClosed"]), (subject, "New", False))
    same(org.Case.update(made["id"], {"Status": "Closed"}), 204)
    same(org.Case.get(made["id"])["IsClosed"], True)
    same(org.Case.delete(made["id"]), 204)
    error = refused(errors.SalesforceResourceNotFound, org.Case.get, made["id"])
    same(error.content[0]["errorCode"], "ENTITY_IS_DELETED")


@peer.check("upsert by external id: 201, then 200; get_by_custom_id; updateOnly makes nothing")
def _():
    key = f"peer-{time.time()}"
    wanted = {"Subject": subject}
    same(org.Case.upsert(f"External_ID__c/{key}", wanted), 201)
    same(org.Case.upsert(f"External_ID__c/{key}", {"Description": "two"}), 200)
    found = org.Case.get_by_custom_id("External_ID__c", key)
    same((found["Subject"], found["Description"], found["External_ID__c"]), (subject, "two", key))
    refused(errors.SalesforceResourceNotFound, org.Case.upsert, "External_ID__c/nobody?updateOnly=true", wanted)


@peer.check("two records under one external id are SalesforceMoreThanOneRecord")
def _():
    opportunity = org.query("SELECT Id FROM Opportunity LIMIT 1")["records"][0]["Id"]
    key = f"pi_{time.time()}"
    for _ in range(2):
        org.Payment_Transaction__c.create({"Opportunity__c": opportunity, "Stripe_Transaction_ID__c": key})
    found = org.Payment_Transaction__c
    error = refused(errors.SalesforceMoreThanOneRecord, found.upsert, f"Stripe_Transaction_ID__c/{key}", {"Amount__c": 1})
    same(len(error.content), 2)


@peer.check("describe, describe of everything, metadata, limits")
def _():
    booking = org.Booking__c.describe()
    fields = {one["name"]: one for one in booking["fields"]}
    same((fields["Room__c"]["type"], fields["Room__c"]["referenceTo"]), ("reference", ["Hotel_Room__c"]))
    same(fields["Status__c"]["restrictedPicklist"], True)
    assert any(one["relationshipName"] == "Cases__r" for one in booking["childRelationships"])
    assert {"Booking__c", "Contact"} <= {one["name"] for one in org.describe()["sobjects"]}
    same(org.Booking__c.metadata()["objectDescribe"]["name"], "Booking__c")
    assert org.limits()["DailyApiRequests"]["Max"] > 0
    assert org.api_usage["api-usage"].used > 0


@peer.check("composite: a reference from part to part, and all or none")
def _():
    base = "/services/data/v62.0"

    def run(**more):
        parts = [
            {"method": "POST", "url": f"{base}/sobjects/Case", "referenceId": "made", "body": {"Subject": subject}},
            {"method": "PATCH", "url": f"{base}/sobjects/Case/@{{made.id}}", "referenceId": "changed",
             "body": {"Status": "Closed", **more}},
        ]
        order = {"allOrNone": True, "collateSubrequests": False, "compositeRequest": parts}
        return org.restful("composite", method="POST", json=order)["compositeResponse"]

    same([one["httpStatusCode"] for one in run()], [201, 204])
    bad = run(Nonsense__c=1)
    same([one["body"][0]["errorCode"] for one in bad], ["PROCESSING_HALTED", "INVALID_FIELD"])


@peer.check("errors are the client's own, with Salesforce's codes")
def _():
    for soql, code in [
        ("SELECT FROM Nothing", "MALFORMED_QUERY"),
        ("SELECT Nonsense__c FROM Case", "INVALID_FIELD"),
        ("SELECT Id FROM Nonsense__c", "INVALID_TYPE"),
    ]:
        error = refused(errors.SalesforceMalformedRequest, org.query, soql)
        same((error.status, error.content[0]["errorCode"]), (400, code))
    error = refused(errors.SalesforceMalformedRequest, org.Contact.create, {"FirstName": "x"})
    same((error.content[0]["errorCode"], error.content[0]["fields"]), ("REQUIRED_FIELD_MISSING", ["LastName"]))
    key = f"peer-{time.time()}"
    org.Case.create({"External_ID__c": key})
    error = refused(errors.SalesforceMalformedRequest, org.Case.create, {"External_ID__c": key})
    same(error.content[0]["errorCode"], "DUPLICATE_VALUE")
    admin("faults", {"system": "salesforce", "operation": "query", "kind": "request_limit"})
    error = refused(errors.SalesforceRefusedRequest, org.query, "SELECT Id FROM Case LIMIT 1")
    same(error.content[0]["errorCode"], "REQUEST_LIMIT_EXCEEDED")


@peer.check("an expired session is SalesforceExpiredSession, and one that can be renewed is")
def _():
    same(org.query("SELECT Id FROM Contact LIMIT 1")["totalSize"], 1)
    direct = Salesforce(session_id=org.session_id, instance_url=SANDBOX, session=org.session, version="62.0")
    same(direct.query("SELECT Id FROM Contact LIMIT 1")["totalSize"], 1)
    admin("faults", {"system": "salesforce", "operation": "query", "kind": "expired_session"})
    error = refused(errors.SalesforceExpiredSession, direct.query, "SELECT Id FROM Contact LIMIT 1")
    same((error.status, error.content[0]["errorCode"]), (401, "INVALID_SESSION_ID"))
    before = org.session_id
    same(org.query("SELECT Id FROM Contact LIMIT 1")["totalSize"], 1)
    assert org.session_id != before


peer.end()
