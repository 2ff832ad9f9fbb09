//! Audit log and tokens of the double.

use async_trait::async_trait;
use dewy_domain::{
    answer::Problem,
    caller::{Caller, Persona, Role},
    ports::{
        AuditReader, CallList, CallQuery, CallView, Clock, LedgerError, TokenAdmin, TokenError,
        TokenOrder, TokenView,
    },
};

use super::{House, born};

#[async_trait]
impl AuditReader for House {
    async fn calls(
        &self,
        _: &Caller,
        query: &CallQuery,
        limit: usize,
    ) -> Result<CallList, LedgerError> {
        if query.from.as_deref() == Some("lately") {
            let message = "from is not a day of the calendar; write it as 2026-03-10.".to_owned();
            return Err(LedgerError::Problems(vec![Problem {
                field: "from".to_owned(),
                message,
            }]));
        }
        let call = |tool: &str, status, outcome: &str, execution: Option<&str>| CallView {
            at: born(),
            caller: "guest:beth.gibbs@email.com".to_owned(),
            interface: "mcp".to_owned(),
            credential: Some("token:tok_0123456789abcdef".to_owned()),
            request_id: Some("019340000000700080000000000000aa".to_owned()),
            on_behalf_of: None,
            tool: tool.to_owned(),
            status,
            outcome: outcome.to_owned(),
            execution_id: execution.map(str::to_owned),
        };
        let mut calls = vec![
            call("process_guest_checkout", 200, "OK", Some("exe_1")),
            call("get_folio", 404, "BOOKING_NOT_FOUND", None),
            CallView {
                caller: "staff:frontdesk@dewy.example".to_owned(),
                on_behalf_of: Some("wei.chen@example.com".to_owned()),
                ..call("unknown", 404, "UNKNOWN_TOOL", None)
            },
        ];
        calls.retain(|call| query.tool.as_ref().is_none_or(|tool| *tool == call.tool));
        let cut = calls.len() > limit || query.who.is_some();
        Ok(CallList { calls, cut })
    }
}

#[async_trait]
impl TokenAdmin for House {
    async fn list(&self, caller: &Caller) -> Result<Vec<TokenView>, TokenError> {
        let token = |id: &str, persona, email: &str| TokenView {
            id: id.to_owned(),
            name: format!("Program {id}"),
            persona,
            email: email.to_owned(),
            role: None,
            read_only: false,
            created_at: born(),
            created_by: Some("cli".to_owned()),
            expires_at: Some(born() + std::time::Duration::from_secs(86_400)),
            last_used_at: None,
            revoked_at: None,
        };
        let mut tokens = vec![
            token("tok_1", Persona::Staff, &caller.email),
            TokenView {
                expires_at: Some(born()),
                ..token("tok_2", Persona::Staff, &caller.email)
            },
        ];
        if caller.role == Some(Role::Manager) {
            let narrow = token("tok_3", Persona::Guest, "beth.gibbs@email.com");
            tokens.push(TokenView {
                read_only: true,
                last_used_at: Some(born()),
                ..narrow
            });
        }
        for token in &mut tokens {
            let revoked = self.state().revoked.contains(&token.id);
            token.revoked_at = revoked.then(|| self.now());
        }
        Ok(tokens)
    }

    async fn make(&self, caller: &Caller, order: TokenOrder) -> Result<(), TokenError> {
        if caller.role != Some(Role::Manager) && order.email != caller.email {
            return Err(TokenError::NotAllowed);
        }
        if order.days == 0 {
            let message = "A token is good for 1 to 3650 days.".to_owned();
            return Err(TokenError::Problems(vec![Problem {
                field: "days".to_owned(),
                message,
            }]));
        }
        self.state().aside.insert(
            "made".to_owned(),
            format!("dewy_{}_{}", order.persona.name(), order.name),
        );
        Ok(())
    }

    async fn take_made(&self) -> Option<String> {
        self.state().aside.remove("made")
    }

    async fn revoke(&self, _: &Caller, id: &str) -> Result<bool, TokenError> {
        self.state().revoked.push(id.to_owned());
        Ok(true)
    }
}
