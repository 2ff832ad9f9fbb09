// jsforce, the Salesforce client most Node programs use, against the sandbox.
import assert from "node:assert/strict";
import jsforce from "jsforce";
import { Checks, SANDBOX, admin, refused } from "./checks.mjs";

const checks = new Checks(`jsforce ${jsforce.VERSION} (Node)`);
await admin("POST", "reset", { seed: 1 });

async function connect(clientSecret = "sandbox") {
  const oauth2 = { clientId: "peer", clientSecret, loginUrl: SANDBOX.origin };
  const made = new jsforce.Connection({ oauth2, instanceUrl: SANDBOX.origin, version: "62.0", maxRequest: 5 });
  await made.authorize({ grant_type: "client_credentials" });
  return made;
}

const org = await checks.check("login by client credentials", async () => {
  const made = await connect();
  assert.equal(made.instanceUrl, SANDBOX.origin);
  assert.match(made.userInfo.organizationId, /^00D/);
  assert.match(made.userInfo.id, /^005/);
  return made;
});

await checks.check("login with a wrong secret is refused", async () => {
  await refused(connect("wrong"), undefined, { name: "invalid_client" });
});

await checks.check("query with a relationship two levels up", async () => {
  const found = await org.query(
    "SELECT Id, Name, Status__c, Primary_Guest__r.Email, Opportunity__r.Account.Name FROM Booking__c " +
      "WHERE Primary_Guest__r.Email = 'beth.gibbs@email.com' ORDER BY Check_In_Date__c LIMIT 5",
  );
  assert.ok(found.done && found.totalSize > 0, "found nothing");
  const [booking] = found.records;
  assert.equal(booking.attributes.type, "Booking__c");
  assert.match(booking.attributes.url, new RegExp(`/sobjects/Booking__c/${booking.Id}$`));
  assert.equal(booking.Primary_Guest__r.Email, "beth.gibbs@email.com");
  assert.equal(booking.Primary_Guest__r.attributes.type, "Contact");
});

await checks.check("query with a subquery; no children is null", async () => {
  const found = await org.query("SELECT Id, Name, (SELECT Id, Name FROM Bookings__r) FROM Opportunity ORDER BY Name");
  const parent = found.records.find((one) => one.Bookings__r !== null);
  assert.equal(parent.Bookings__r.totalSize, parent.Bookings__r.records.length);
  assert.equal(parent.Bookings__r.records[0].attributes.type, "Booking__c");
  const contacts = await org.query("SELECT Id, (SELECT Id FROM Cases) FROM Contact");
  assert.ok(contacts.records.some((one) => one.Cases === null), "every contact has cases");
});

await checks.check("find() builds its own query, conditions and all", async () => {
  const rooms = await org
    .sobject("Hotel_Room__c")
    .find({ Status__c: { $in: ["Vacant", "Cleaning"] }, Floor__c: { $gte: 1 }, Name: { $ne: null } }, ["Id", "Name", "Floor__c"])
    .sort({ Floor__c: -1, Name: 1 })
    .limit(3)
    .execute();
  assert.equal(rooms.length, 3);
  assert.ok(rooms[0].Floor__c >= rooms[2].Floor__c, "is not sorted");
  const [beth] = await org
    .sobject("Contact")
    .find({ Email: "beth.gibbs@email.com" }, "Id, LastName")
    .include("Bookings__r")
    .select("Id, Status__c")
    .where({ Status__c: { $ne: "Cancelled" } })
    .end()
    .execute();
  assert.equal(beth.LastName, "Gibbs");
  assert.equal(beth.Bookings__r.records[0].attributes.type, "Booking__c");
  const count = await org.sobject("Hotel_Room__c").count({ Floor__c: 1 });
  assert.ok(count > 0, "counts nothing");
});

const subject = `Peer ${Date.now()}`;
const made = await checks.check("create, retrieve, with numbers and dates as JSON has them", async () => {
  const answer = await org.sobject("Case").create({ Subject: subject, Priority: "High", Origin: "Web" });
  assert.deepEqual([answer.success, answer.errors], [true, []]);
  const record = await org.sobject("Case").retrieve(answer.id);
  assert.deepEqual([record.Id, record.Subject, record.Status, record.IsClosed], [answer.id, subject, "New", false]);
  assert.match(record.CreatedDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/);
  assert.equal(record.attributes.type, "Case");
  return answer.id;
});

await checks.check("retrieve some fields of many", async () => {
  const other = await org.sobject("Case").create({ Subject: `${subject} 2` });
  const many = await org.sobject("Case").retrieve([other.id, made], { fields: ["Subject"] });
  assert.deepEqual(many.map((one) => one.Subject), [`${subject} 2`, subject]);
});

await checks.check("update one, update many, an error among them", async () => {
  assert.equal((await org.sobject("Case").update({ Id: made, Status: "Working" })).success, true);
  const many = await org.sobject("Case").update([
    { Id: made, Priority: "Low" },
    { Id: made, Room__c: "a02000000000000" },
  ]);
  assert.deepEqual(many.map((one) => one.success), [true, false]);
  assert.equal(many[1].errors[0].statusCode, "INVALID_CROSS_REFERENCE_KEY");
  const record = await org.sobject("Case").retrieve(made);
  assert.deepEqual([record.Status, record.Priority], ["Working", "Low"]);
});

await checks.check("upsert by external id: made, then changed", async () => {
  const key = `peer-${Date.now()}.a'b+c`;
  const upsert = (Description) => org.sobject("Case").upsert({ External_ID__c: key, Description }, "External_ID__c");
  const [first, again] = [await upsert("one"), await upsert("two")];
  assert.deepEqual([first.success, first.created, again.created, again.id], [true, true, false, first.id]);
  const [record] = await org.sobject("Case").find({ External_ID__c: key }, ["Id", "Description"]).execute();
  assert.deepEqual([record.Id, record.Description], [first.id, "two"]);
});

await checks.check("upsert many by external id in one call", async () => {
  const keys = [`peer-${Date.now()}-1`, `peer-${Date.now()}-2`];
  const records = () => keys.map((External_ID__c) => ({ External_ID__c, Subject: subject }));
  const first = await org.sobject("Case").upsert(records(), "External_ID__c");
  const again = await org.sobject("Case").upsert(records(), "External_ID__c");
  assert.deepEqual(first.map((one) => [one.success, one.created]), [[true, true], [true, true]]);
  assert.deepEqual(again.map((one) => [one.id, one.created]), first.map((one) => [one.id, false]));
});

await checks.check("queryMore, by hand and of its own accord", async () => {
  const batch = Array.from({ length: 205 }, (_, n) => ({ Subject: `${subject} page ${n}` }));
  const answers = await org.sobject("Case").create(batch, { allowRecursive: true });
  assert.ok(answers.every((one) => one.success), "not all were made");
  const headers = { "Sforce-Query-Options": "batchSize=200" };
  const soql = `SELECT Id FROM Case WHERE Subject LIKE '${subject} page %'`;
  const first = await org.query(soql, { headers });
  assert.deepEqual([first.totalSize, first.records.length, first.done], [205, 200, false]);
  const rest = await org.queryMore(first.nextRecordsUrl);
  assert.deepEqual([rest.totalSize, rest.records.length, rest.done], [205, 5, true]);
  const all = await org.query(soql, { headers, autoFetch: true, maxFetch: 1000 });
  assert.equal(new Set(all.records.map((one) => one.Id)).size, 205);
  const gone = await org.sobject("Case").destroy(answers.map((one) => one.id), { allowRecursive: true });
  assert.ok(gone.every((one) => one.success), "not all were deleted");
});

await checks.check("delete, and then it is gone", async () => {
  assert.equal((await org.sobject("Case").destroy(made)).success, true);
  await refused(org.sobject("Case").retrieve(made), undefined, { errorCode: "ENTITY_IS_DELETED" });
});

await checks.check("describe: fields, types, picklists, references, children", async () => {
  const booking = await org.sobject("Booking__c").describe();
  const field = (name) => booking.fields.find((one) => one.name === name);
  assert.deepEqual([booking.name, booking.custom, booking.keyPrefix], ["Booking__c", true, "a01"]);
  assert.deepEqual(field("Status__c").type, "picklist");
  assert.ok(field("Status__c").picklistValues.some((one) => one.value === "Checked In" && one.active), "no such value");
  assert.deepEqual([field("Room__c").type, field("Room__c").referenceTo], ["reference", ["Hotel_Room__c"]]);
  assert.deepEqual([field("External_ID__c").externalId, field("Id").updateable], [true, false]);
  const names = (await org.describeGlobal()).sobjects.map((one) => one.name);
  assert.ok(names.includes("Booking__c") && names.includes("Contact"), "objects are missing");
});

await checks.check("composite: a reference from part to part, and all or none", async () => {
  const base = "/services/data/v62.0";
  const parts = (status) => [
    { method: "POST", url: `${base}/sobjects/Case`, referenceId: "made", body: { Subject: subject } },
    { method: "PATCH", url: `${base}/sobjects/Case/@{made.id}`, referenceId: "changed", body: { Status: "Closed", ...status } },
    { method: "GET", url: `${base}/query?q=SELECT+IsClosed+FROM+Case+WHERE+Id='@{made.id}'`, referenceId: "seen" },
  ];
  const order = (more) => ({ allOrNone: true, collateSubrequests: false, compositeRequest: parts(more) });
  const { compositeResponse: good } = await org.requestPost("/composite", order({}));
  assert.deepEqual(good.map((one) => [one.referenceId, one.httpStatusCode]), [["made", 201], ["changed", 204], ["seen", 200]]);
  assert.equal(good[2].body.records[0].IsClosed, true);
  const { compositeResponse: bad } = await org.requestPost("/composite", order({ Nonsense__c: 1 }));
  assert.deepEqual(bad.map((one) => one.httpStatusCode), [400, 400, 400]);
  assert.deepEqual(bad.map((one) => one.body[0].errorCode), ["PROCESSING_HALTED", "INVALID_FIELD", "PROCESSING_HALTED"]);
});

await checks.check("errors are jsforce's own, with Salesforce's codes", async () => {
  await refused(org.query("SELECT FROM Nothing"), Error, { errorCode: "MALFORMED_QUERY", name: "MALFORMED_QUERY" });
  await refused(org.query("SELECT Nonsense__c FROM Case"), Error, { errorCode: "INVALID_FIELD" });
  await refused(org.query("SELECT Id FROM Nonsense__c"), Error, { errorCode: "INVALID_TYPE" });
  await refused(org.sobject("Contact").create({ FirstName: "x" }), Error, { errorCode: "REQUIRED_FIELD_MISSING" });
  await refused(org.sobject("Case").retrieve("500000000000001"), Error, { errorCode: "NOT_FOUND" });
  await refused(org.queryMore("/services/data/v62.0/query/01g000000000001-2000"), Error, { errorCode: "INVALID_QUERY_LOCATOR" });
});

await checks.check("an expired session is INVALID_SESSION_ID", async () => {
  const bare = new jsforce.Connection({ instanceUrl: SANDBOX.origin, accessToken: org.accessToken, version: "62.0" });
  await admin("POST", "faults", { system: "salesforce", operation: "query", kind: "expired_session" });
  await refused(bare.query("SELECT Id FROM Case LIMIT 1"), Error, { errorCode: "INVALID_SESSION_ID" });
});

await checks.check("the client takes a new session by itself and asks again", async () => {
  const oauth2 = new jsforce.OAuth2({ clientId: "peer", clientSecret: "sandbox", loginUrl: SANDBOX.origin });
  let taken = 0;
  const refreshFn = async (_, done) => {
    taken += 1;
    const answer = await oauth2.requestToken({ grant_type: "client_credentials" });
    done(null, answer.access_token, answer);
  };
  const accessToken = org.accessToken;
  const fresh = new jsforce.Connection({ instanceUrl: SANDBOX.origin, accessToken, version: "62.0", refreshFn });
  assert.equal((await fresh.query("SELECT Id FROM Contact LIMIT 1")).records.length, 1);
  await fresh.query("SELECT Id FROM Contact LIMIT 1");
  assert.equal(taken, 1);
  assert.ok(fresh.limitInfo.apiUsage.used > 0, "the calls are not counted");
});

checks.end();
