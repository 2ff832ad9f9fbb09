//! Form that somebody sends: it changes something, then leads to the page that shows the result.

use std::collections::BTreeMap;

use dewy_domain::{caller::Persona, ports::SignedIn, tool_input::ToolInput};
use serde_json::Value;

use crate::{
    form_draft::FormDraft,
    page_context::{PageContext, safe_return_path, sign_in_url},
};

/// Hidden field with the idempotency token.
pub const TOKEN: &str = "idempotency_token";

/// Address that a form leads to, with 303; as an error, of a form that couldn't go on.
pub type FormResult = Result<String, String>;

#[derive(Clone, Debug)]
pub struct FormSubmission {
    pub ctx: PageContext,
    fields: BTreeMap<String, String>,
}

impl FormSubmission {
    /// Reads a form's body.
    ///
    /// # Errors
    /// The name of a field that was sent twice, or is missing though the form `needs` it; empty if it
    /// is no form at all.
    pub fn read(ctx: PageContext, body: &[u8], needs: &[&str]) -> Result<Self, String> {
        let fields = fields(body)?;
        match needs.iter().find(|name| !fields.contains_key(**name)) {
            Some(missing) => Err((*missing).to_owned()),
            None => Ok(Self { ctx, fields }),
        }
    }

    /// Value as it was sent; empty if it is missing.
    pub fn raw(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// Value without the spaces around it.
    pub fn get(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    pub fn token(&self) -> &str {
        self.raw(TOKEN)
    }

    /// These fields, to show them again.
    pub fn draft(&self, names: &[&str]) -> FormDraft {
        let fields = names.iter().map(|name| (*name, self.get(name)));
        fields.fold(FormDraft::default(), |draft, (name, value)| {
            draft.field(name, value)
        })
    }

    /// Input of a tool: those of these fields that are not empty.
    pub fn input(&self, names: &[&str]) -> Value {
        form_input(names.iter().map(|name| (*name, self.get(name))))
    }

    /// Input of `T`: those of the tool's fields that the form has and that are not empty.
    pub fn input_of<T: ToolInput>(&self) -> Value {
        let fields = T::fields();
        form_input(
            fields
                .iter()
                .map(|field| (field.name, self.get(field.name))),
        )
    }

    /// Number in a field; anything else as it was sent, so that the tool says what is wrong.
    pub fn number(&self, name: &str) -> Value {
        number(self.raw(name))
    }

    /// Signed-in sender of this persona; others sign in first, and return to `back` afterward.
    pub async fn sender(&self, persona: Persona, back: &str) -> Result<SignedIn, String> {
        let user = self.ctx.require_persona(persona, back).await;
        user.map_err(|_| sign_in_url(persona, back))
    }

    /// Page that the form names as the one to return to, if it is one of this persona's.
    pub fn back<'a>(&'a self, persona: Persona, otherwise: &'a str) -> &'a str {
        safe_return_path(persona, self.raw("back")).unwrap_or(otherwise)
    }

    /// [`Self::again`] with the same token: nothing was started.
    pub async fn invalid(&self, draft: FormDraft, form: &str, page: &str) -> FormResult {
        let draft = draft.field(TOKEN, self.token());
        self.again(draft, form, page).await
    }

    /// Leads back to the form's page, which shows it again.
    pub async fn again(&self, draft: FormDraft, form: &str, page: &str) -> FormResult {
        draft.put_on(&*self.ctx.authenticator, form, page).await;
        Ok(page.to_owned())
    }
}

fn fields(body: &[u8]) -> Result<BTreeMap<String, String>, String> {
    let pairs: Vec<(String, String)> =
        serde_urlencoded::from_bytes(body).map_err(|_| String::new())?;
    let mut fields = BTreeMap::new();
    for (name, value) in pairs {
        if fields.insert(name.clone(), value).is_some() {
            return Err(name);
        }
    }
    Ok(fields)
}

/// Input of a tool from a form's fields, without the empty ones. The tool reads texts as what they
/// mean, but for an amount: that is a number of cents.
pub fn form_input<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Value {
    let given = fields.into_iter().filter(|(_, text)| !text.is_empty());
    let value = |(name, text): (&str, &str)| match name {
        "amount" => (name.to_owned(), number(text)),
        _ => (name.to_owned(), Value::from(text)),
    };
    Value::Object(given.map(value).collect())
}

fn number(text: &str) -> Value {
    let number = text.parse::<i64>();
    number.map_or_else(|_| Value::from(text), Value::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_that_is_sent_twice_is_named() {
        let read = fields(b"a=1+2&b=%F0%9F%8F%A8").unwrap();
        assert_eq!(read.get("a").map(String::as_str), Some("1 2"));
        assert_eq!(fields(b"a=1&b=2&a=1"), Err("a".to_owned()));
        assert_eq!(fields(b""), Ok(BTreeMap::new()));
    }

    #[test]
    fn empty_fields_are_omitted_and_an_amount_is_a_number() {
        let of = |amount| form_input([("amount", amount), ("room_number", "302"), ("a", "")]);
        assert_eq!(
            of("25000"),
            json!({ "amount": 25000, "room_number": "302" })
        );
        assert_eq!(
            of("lots"),
            json!({ "amount": "lots", "room_number": "302" })
        );
    }
}
