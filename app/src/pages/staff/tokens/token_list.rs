//! List of tokens.

use dewy_domain::ports::TokenView;
use jiff::Timestamp;

use crate::pages::prelude::*;

pub fn list(tokens: Vec<TokenView>, everybodys: bool) -> AnyView {
    if tokens.is_empty() {
        return view! { <p class="empty">"No tokens yet."</p> }.into_any();
    }
    let heads: &[&str] = match everybodys {
        true => &["Token", "Owner", "May do", "Last used", "Expires", "Revoke"],
        false => &["Token", "May do", "Last used", "Expires", "Revoke"],
    };
    view! {
        <ListTable heads=heads>
            {tokens.into_iter().map(|token| row(token, everybodys)).collect_view()}
        </ListTable>
    }
    .into_any()
}

fn row(token: TokenView, everybodys: bool) -> impl IntoView {
    let over = |at: Timestamp| hotel_time::now().is_some_and(|now| at <= now);
    let good = token.revoked_at.is_none() && !token.expires_at.is_some_and(over);
    let may = token
        .role
        .map_or("Everything the person may do", |role: Role| {
            labels::role(role.name())
        });
    let may = if token.read_only {
        format!("{may}, reading only")
    } else {
        may.to_owned()
    };
    let whom = match token.persona {
        Persona::Guest => format!("{}, the guest", token.email),
        Persona::Staff => format!("{} (staff)", token.email),
    };
    let by = token.created_by.as_deref().map(|by| match by {
        "cli" => "on the command line".to_owned(),
        other => format!("by {}", labels::asked_by(other)),
    });
    let used = match token.last_used_at {
        Some(at) => view! { <Ago at=at /> " ago" }.into_any(),
        None => view! { "Never" }.into_any(),
    };
    let until = match (token.revoked_at, token.expires_at) {
        (Some(at), _) => view! { "Revoked " <Timestamp at=at /> }.into_any(),
        (None, Some(at)) if over(at) => view! { "Expired " <Timestamp at=at /> }.into_any(),
        (None, Some(at)) => view! { <Timestamp at=at /> }.into_any(),
        (None, None) => view! { "For ever" }.into_any(),
    };
    let label = format!("Revoke {}", token.name);
    let end = good.then(|| {
        view! {
            <form class="inline" method="post" action="/form/revoke_token">
                <input type="hidden" name="id" value=token.id.clone() />
                <button class="quiet small-button" aria-label=label>"Revoke"</button>
            </form>
        }
    });
    view! {
        <tr>
            <th scope="row" data-label="Token">{token.name} <small><code>{token.id.clone()}</code></small></th>
            {everybodys.then(|| view! { <td data-label="Owner">{whom}</td> })}
            <td data-label="May do">{may}</td>
            <td data-label="Last used">{used}</td>
            <td data-label="Expires">{until} <small>"Made " <Timestamp at=token.created_at /> " " {by}</small></td>
            <td data-label="Revoke">{end}</td>
        </tr>
    }
}
