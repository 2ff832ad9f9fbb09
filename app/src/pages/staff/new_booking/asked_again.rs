//! Booking that is not made before a question is answered: whose email it is, whether the new price
//! will do, or whether the guest needs another room for the same nights.

use dewy_domain::tool_answer::{FinalAnswer, ToolAnswer};

use crate::pages::prelude::*;

/// Fields with the name on file of the guest who has the entered email: the first name.
pub const KNOWN_FIRST: &str = "known_first_name";
pub const KNOWN_LAST: &str = "known_last_name";
/// Field with the booking of the same nights that was asked about.
pub const REPEAT: &str = "repeat_of";

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

/// Fields and the button that answer the question.
pub fn answers(draft: &FormDraft) -> AnyView {
    let repeated = draft.value(REPEAT);
    view! {
        <input type="hidden" name=REPEAT value=repeated />
        {for_known_guest(draft)}
    }
    .into_any()
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
}
