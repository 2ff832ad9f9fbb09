//! Booking that is not made before a question is answered: whose email or phone number it is, whether
//! the new price will do, or whether the guest needs another room for the same nights.

use dewy_domain::{
    error_details::GuestChoice,
    tool_answer::{FinalAnswer, ToolAnswer},
};

use crate::pages::prelude::*;

/// Fields with the name on file of the guest who has the entered email: the first name.
pub const KNOWN_FIRST: &str = "known_first_name";
pub const KNOWN_LAST: &str = "known_last_name";
/// Field with what was asked about, to book all the same: the booking of the same nights, or the
/// phone number.
const REPEAT: &str = "repeat_of";
/// Field of the form that is shown again: guests on file with the phone number, as JSON.
const SAME_PHONE: &str = "same_phone";
const SAME_GUEST: &str = "same_guest_as";

/// Form that is shown again with the question.
pub fn asks_again(answer: &ToolAnswer, draft: &FormDraft) -> Option<FormDraft> {
    let Some(FinalAnswer::Failed { code, details }) = answer.settled() else {
        return None;
    };
    let details = ErrorDetails::of(details);
    let refused = match code {
        ErrorCode::EmailOfAnotherGuest => {
            let [first, last] =
                [details.guest_first_name, details.guest_last_name].map(Option::unwrap_or_default);
            let name = format!("{first} {last}");
            let name = name.trim();
            let mut refused = FormDraft::invalid_field(
                "guest_email",
                format!("This email belongs to {name}. Enter another one, or book for {name}"),
            );
            refused.title = format!("Nothing was booked: this email belongs to {name}");
            let refused = refused.with_fields_of(draft.clone());
            refused.field(KNOWN_FIRST, first).field(KNOWN_LAST, last)
        }
        ErrorCode::PhoneOfAnotherGuest => {
            let names: Vec<_> = details.guests.iter().map(labeled).collect();
            let names = names.join("; ");
            let phone = details.similar?.number;
            let refused = FormDraft::invalid_field(
                "guest_phone",
                format!("On file with this number: {names}"),
            );
            FormDraft {
                title: "Nothing was booked: a guest on file has this phone number".to_owned(),
                message: "Ask whether it is the same person, then choose below.".to_owned(),
                ..refused
            }
            .with_fields_of(draft.clone())
            .field(SAME_PHONE, serde_json::to_string(&details.guests).ok()?)
            .field(REPEAT, phone)
        }
        ErrorCode::PossibleDuplicate => {
            let similar = details.similar?;
            let number = similar.number;
            let room = similar.room_number?;
            FormDraft::failed(format!(
                "This guest has room {room} for these nights already: {number}"
            ))
            .with_message("Nothing was booked. Book again if they need this room as well.")
            .with_fields_of(draft.clone())
            .field(REPEAT, number)
        }
        ErrorCode::PriceChanged => {
            let prices = details.price.zip(details.amount).zip(details.currency)?;
            let ((now, then), currency) = prices;
            let [now, then] = [now, then].map(|sum| labels::money(sum, currency));
            FormDraft::failed(format!("The price is {now} now, not {then}"))
                .with_message("Nothing was booked. Book again if the guest agrees.")
                .with_fields_of(draft.clone())
        }
        _ => return None,
    };
    Some(refused)
}

/// The guest's name, with their email if they have one.
fn labeled(guest: &GuestChoice) -> String {
    match &guest.email {
        Some(email) => format!("{}, {email}", guest.name),
        None => guest.name.clone(),
    }
}

/// The button that books, with those that answer the question. Of guests with one phone number, one
/// has to be chosen: then there is no other button.
pub fn book_buttons(draft: &FormDraft, words: String) -> AnyView {
    let repeated = draft.value(REPEAT);
    let same = serde_json::from_str::<Vec<GuestChoice>>(&draft.value(SAME_PHONE));
    if let Ok(same) = same {
        let buttons = same.into_iter().map(|guest| {
            let words = format!("Book for {}", labeled(&guest));
            view! { <button name=SAME_GUEST value=guest.same_guest_as>{words}</button> }
        });
        return view! {
            {buttons.collect_view()}
            <button class="quiet" name=REPEAT value=repeated>"Book for a new guest"</button>
        }
        .into_any();
    }
    view! {
        <button>{words}</button>
        <input type="hidden" name=REPEAT value=repeated />
        {for_known_guest(draft)}
    }
    .into_any()
}

/// Takes the guest who was chosen among those with the same phone number.
pub fn choose_guest(form: &FormSubmission, input: &mut Value) {
    let same = form.get(SAME_GUEST);
    if same.is_empty() {
        return;
    }
    input[SAME_GUEST] = json!(same);
    if let Some(fields) = input.as_object_mut() {
        fields.retain(|name, _| !["guest_email", "guest_phone"].contains(&name.as_str()));
    }
}

/// Button that books for the guest whose email it is.
fn for_known_guest(draft: &FormDraft) -> Option<AnyView> {
    let (first, last) = (draft.value(KNOWN_FIRST), draft.value(KNOWN_LAST));
    let name = format!("{first} {last}");
    let name = Some(name.trim()).filter(|name| !name.is_empty())?;
    let words = format!("Book for {name}");
    Some(
        view! {
            <input type="hidden" name=KNOWN_FIRST value=first />
            <input type="hidden" name=KNOWN_LAST value=last />
            <button class="quiet" name="whom" value="known">{words}</button>
        }
        .into_any(),
    )
}

#[cfg(test)]
mod tests {
    use dewy_domain::tool_answer::ToolError;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_email_of_another_guest_is_asked_about_and_nothing_typed_is_lost() {
        let details = json!({ "guest_first_name": "Beth", "guest_last_name": "Gibbs" });
        let answer = ToolError::with(ErrorCode::EmailOfAnotherGuest, details).into();
        let typed = FormDraft::default().field("guest_first_name", "John");
        let asked = asks_again(&answer, &typed).unwrap();
        assert_eq!(asked.value("guest_first_name"), "John");
        let problem = asked.problem("guest_email").unwrap();
        assert!(problem.contains("belongs to Beth Gibbs"), "{problem}");
        let html = Owner::new().with(|| for_known_guest(&asked).map(|button| button.to_html()));
        assert!(html.unwrap().contains("Book for Beth Gibbs"));
        assert!(for_known_guest(&typed).is_none());
    }

    #[test]
    fn a_phone_number_on_file_is_booked_for_a_guest_who_was_chosen_only() {
        let beth =
            json!({ "same_guest_as": "003A", "name": "Beth Gibbs", "email": "beth@example.com" });
        let details = json!({ "guests": [beth], "similar": { "number": "+12125550101" } });
        let answer = ToolError::with(ErrorCode::PhoneOfAnotherGuest, details).into();
        let typed = FormDraft::default().field("guest_first_name", "Ida");
        let asked = asks_again(&answer, &typed).unwrap();
        assert_eq!(asked.value("guest_first_name"), "Ida");
        let problem = asked.problem("guest_phone").unwrap();
        assert!(
            problem.contains("Beth Gibbs, beth@example.com"),
            "{problem}"
        );
        let html = |draft: &FormDraft| {
            Owner::new().with(|| book_buttons(draft, "Book".to_owned()).to_html())
        };
        let buttons = html(&asked);
        for part in [
            "name=\"same_guest_as\" value=\"003A\"",
            "name=\"repeat_of\" value=\"+12125550101\"",
        ] {
            assert!(buttons.contains(part), "{buttons}");
        }
        assert!(!buttons.contains("type=\"hidden\""), "{buttons}");
        assert!(!html(&typed).contains("same_guest_as"));
    }
}
