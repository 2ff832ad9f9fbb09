//! A demo's ways in, on the start page: a button for a guest, for staff, and for a check-out that
//! Salesforce breaks.

use crate::pages::prelude::*;

/// Scenario that the first button sets.
pub const SCENE: &str = "charged_then_salesforce_fails";

/// What this is, and a button for each way in; empty outside of a demo.
pub fn demo_strip(accounts: &[(String, String)]) -> Option<AnyView> {
    let guest = accounts.iter().find(|(_, password)| password.is_empty())?;
    let mut staff = accounts.iter().filter(|(_, password)| !password.is_empty());
    let (manager, front_desk) = staff.next().zip(staff.next())?;
    let enter = |(email, _): &(String, String), scene: &'static str, words: &'static str| {
        view! {
            <form method="post" action="/form/enter_demo">
                <input type="hidden" name="email" value=email.clone() />
                <input type="hidden" name="scene" value=scene />
                <button class=if scene.is_empty() { "quiet" } else { "" }>{words}</button>
            </form>
        }
    };
    let strip = view! {
        <aside class="demo-strip" aria-labelledby="demo">
            <h2 id="demo">{t!("demo")}</h2>
            <p>{t!("demo-strip")}</p>
            <div class="actions">
                {enter(manager, SCENE, t!("demo-break"))}
                {enter(guest, "", t!("demo-guest"))}
                {enter(front_desk, "", t!("demo-front-desk"))}
            </div>
        </aside>
    };
    Some(strip.into_any())
}
