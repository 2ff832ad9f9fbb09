//! The job that looks for payments that no execution accounts for.

use std::collections::BTreeMap;

use dewy_domain::orphan_check_view::OrphanCheckView;

use crate::pages::prelude::*;

/// Last and next run, in one line; what was found is a folded sentence, unless a person has to look
/// at it.
pub fn panel(sweep: Option<OrphanCheckView>) -> AnyView {
    let Some(sweep) = sweep else {
        return view! { <p class="empty">"When payments were last checked is unknown right now."</p> }
            .into_any();
    };
    let last = match sweep.last_run_at {
        Some(at) => view! { <Ago at=at /> " ago" }.into_any(),
        None => view! { "not yet" }.into_any(),
    };
    let next = match sweep.next_run_at {
        Some(at) => view! { "in " <Until at=at /> }.into_any(),
        None => view! { "not planned" }.into_any(),
    };
    let first = sweep.reported_only.then(|| {
        view! { <p class="notice">"This was the first check of this installation, which only reports. The next one acts on what it finds."</p> }
    });
    let failures = (!sweep.failures.is_empty()).then(|| {
        let each = sweep.failures.into_iter().map(|failure| view! { <li>{failure}</li> }).collect_view();
        view! { <p>"These could not be judged and are looked at again:"</p> <ul class="reason">{each}</ul> }
    });
    let others = others(sweep.foreign, &sweep.other_installations);
    let trouble = sweep
        .error
        .map(|why| view! { <p class="reason">"The last check stopped early: " {why}</p> });
    let open = sweep.flagged + sweep.failed > 0 || trouble.is_some();
    view! {
        <details class="filter sweep" open=open>
        <summary>"Check for payments that nobody finished: last " {last} ", next " {next}</summary>
        <p>{format!(
            "Payments checked: {}. Not finished: {}. Being refunded or finished: {}. For a person to decide: {}. Checked again later: {}.",
            sweep.looked_at, sweep.found, sweep.fixed, sweep.flagged, sweep.failed,
        )}</p>
        {first}
        {trouble}
        {failures}
        {others}
        </details>
    }
    .into_any()
}

/// Other programs and installations that take payments on the account.
fn others(foreign: u64, installations: &BTreeMap<String, u32>) -> Option<AnyView> {
    let programs = match foreign {
        0 => None,
        1 => Some(
            "1 payment of another program was seen on this Stripe account; it is left alone."
                .to_owned(),
        ),
        n => Some(format!(
            "{n} payments of other programs were seen on this Stripe account; they are left alone."
        )),
    };
    let each = installations.iter().map(|(id, n)| {
        let text = format!("{n} of the payments looked at belong to installation {id}; they are left alone. Is its store lost? An operator can take them over: ");
        view! { <p class="aside">{text} <code>{format!("dewy adopt {id}")}</code></p> }
    });
    let each = each.collect_view();
    (programs.is_some() || !installations.is_empty()).then(|| {
        view! { {programs.map(|text| view! { <p class="aside">{text}</p> })} {each} }.into_any()
    })
}
