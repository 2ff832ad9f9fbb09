//! Cases: listed, opened and changed.

use dewy_domain::{
    case::{Case, CaseChange, CaseQuery, OpenCaseRequest},
    upstream_request::Call,
    vocabulary::CaseStatus,
};

use super::Requests;
use crate::salesforce::{
    composite::Composite, fields::Fields, org_vocabulary::PicklistValue, soql,
};

/// Maximum number of comments read with a case.
const COMMENTS: usize = 20;

const CASE: &str = "Id, CaseNumber, Subject, Description, Status, Priority, Type, IsClosed, CreatedDate, Room__c, \
    Room__r.Room_Number__c, Booking__r.Name, Booking__r.Status__c, ContactId, Contact.Name, Contact.Email, External_ID__c, LastModifiedDate, \
    LastModifiedById, (SELECT Id, CommentBody, CreatedDate, CreatedById, CreatedBy.Name FROM CaseComments ORDER BY CreatedDate DESC, Id DESC LIMIT 20)";

impl Requests {
    fn theirs_if<'a, V: PicklistValue>(&'a self, ours: Option<&'a V>) -> Option<&'a str> {
        ours.map(|ours| self.vocabulary.theirs(V::LIST, ours.word()))
    }

    /// Matching cases, newest first.
    pub(crate) fn cases(&self, query: &CaseQuery) -> Call {
        self.query(&self.cases_soql(query))
    }

    pub(super) fn cases_soql(&self, query: &CaseQuery) -> String {
        let mut fits = Vec::new();
        if let Some(guest) = &query.guest {
            fits.push(soql::of_guest(guest, "Contact.Email", "ContactId"));
        }
        let mut equal = |field: &str, value: Option<&str>| {
            if let Some(value) = value {
                fits.push(format!("{field} = {}", soql::text(value)));
            }
        };
        equal("CaseNumber", query.number.as_deref());
        equal("External_ID__c", query.execution_id.as_deref());
        equal("Booking__r.Name", query.booking_number.as_deref());
        equal("Status", self.theirs_if(query.status.as_ref()));
        equal("Priority", self.theirs_if(query.priority.as_ref()));
        equal("Type", self.theirs_if(query.kind.as_ref()));
        equal("Room__r.Room_Number__c", query.room_number.as_deref());
        if let Some(open) = query.open {
            fits.push(format!("IsClosed = {}", !open));
        }
        let fits = soql::all_of(&fits);
        format!(
            "SELECT {CASE} FROM Case{fits} ORDER BY CreatedDate DESC, CaseNumber DESC LIMIT {}",
            query.limit
        )
    }

    /// Creates a case under a unique reference.
    pub(crate) fn open_case(&self, order: &OpenCaseRequest) -> Call {
        let fields = Fields::new()
            .text("External_ID__c", &order.execution_id)
            .text("Subject", &order.subject)
            .text("Description", &order.description)
            .value(&self.vocabulary, &order.kind)
            .value(&self.vocabulary, &order.priority)
            .value(&self.vocabulary, &CaseStatus::New)
            .value(&self.vocabulary, &order.origin)
            .text_if("ContactId", order.contact_id.as_deref())
            .text_if("Booking__c", order.booking_id.as_deref())
            .text_if("Room__c", order.room_id.as_deref());
        let case = format!(
            "SELECT {CASE} FROM Case WHERE External_ID__c = {}",
            soql::text(&order.execution_id)
        );
        Composite::new(self)
            .make("made", "Case", fields)
            .query("case", &case)
            .call()
    }

    /// Changes a case's fields, guarded by its stamp, and adds a comment.
    pub(crate) fn change_case(&self, there: &Case, change: &CaseChange) -> Call {
        let guard = format!(
            "SELECT Id FROM Case WHERE Id = {} AND Status = {} AND LastModifiedById = {}",
            soql::text(&there.id),
            self.literal(&there.status),
            soql::text(&there.stamp.by)
        );
        // A comment alone moves the stamp as well.
        let fields = match &change.status {
            Some(status) => Fields::new().value(&self.vocabulary, status),
            None => Fields::new().text_or_null("External_ID__c", there.external_id.as_deref()),
        };
        let fields = fields
            .value_if(&self.vocabulary, change.priority.as_ref())
            .value_if(&self.vocabulary, change.kind.as_ref())
            .text_if("Subject", change.subject.as_deref())
            .text_if("Description", change.description.as_deref())
            .text_if("Room__c", change.room_id.as_deref())
            .text_if("ContactId", change.contact_id.as_deref());
        let mut composite = Composite::new(self).query("guard", &guard).change_found(
            "change",
            "Case",
            "guard",
            &there.stamp,
            fields,
        );
        if let Some(comment) = &change.comment {
            let comment = Fields::new()
                .refer("ParentId", "silent.records[0].Id")
                .text("CommentBody", comment);
            composite = composite.query("silent", &without_reference(there)).make(
                "comment",
                "CaseComment",
                comment,
            );
        }
        composite
            .query(
                "case",
                &format!(
                    "SELECT {CASE} FROM Case WHERE Id = {}",
                    soql::text(&there.id)
                ),
            )
            .call()
    }

    /// Writes the case's external id unchanged, so that its stamp moves.
    pub(crate) fn touch_case(&self, there: &Case) -> Call {
        let own = Fields::new().text_or_null("External_ID__c", there.external_id.as_deref());
        self.update("Case", &there.id, &there.stamp, own)
    }
}

/// Finds the case only if it has no comment that was not read: a comment has no field for a
/// reference, and its text can't be searched.
fn without_reference(there: &Case) -> String {
    let case = soql::text(&there.id);
    let read: Vec<&str> = there.comments.iter().map(|one| one.id.as_str()).collect();
    let mut said = format!("SELECT ParentId FROM CaseComment WHERE ParentId = {case}");
    if !read.is_empty() {
        said.push_str(&format!(" AND Id NOT {}", soql::in_list(&read)));
    }
    // Comments older than all those read were cut off. Salesforce's stamps are whole seconds, which
    // many comments can share; within a second the id decides which were cut off.
    if let Some(oldest) = there
        .comments
        .last()
        .filter(|_| there.comments.len() >= COMMENTS)
    {
        let (at, id) = (
            oldest.at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            soql::text(&oldest.id),
        );
        said.push_str(&format!(
            " AND (CreatedDate > {at} OR (CreatedDate = {at} AND Id > {id}))"
        ));
    }
    format!("SELECT Id FROM Case WHERE Id = {case} AND Id NOT IN ({said})")
}
