//! The two looks: letter paper for guests, a dense desk for staff.

use dewy_domain::{caller::Persona, ports::SignedIn};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::{Body, Title};

use crate::form::SignOut;

/// A guest's page.
pub fn guest<V: IntoView + 'static>(title: &str, who: Option<&SignedIn>, content: V) -> AnyView {
    let out = who.map(|who| {
        let name = if who.first_name.is_empty() { who.caller.email.clone() } else { who.first_name.clone() };
        view! {
            <div class="who">
                <span>{name}</span>
                <SignOutButton />
            </div>
        }
    });
    let title = format!("{title} · Dewy Resort");
    view! {
        <Title text=title />
        <Body attr:class="guest" />
        <a class="skip" href="#main">"Skip to the page"</a>
        <header class="letterhead">
            <a class="house" href="/">"Dewy Resort"</a>
            {out}
        </header>
        <main id="main">{content}</main>
        <footer class="foot">
            <p>"Need a hand? Our front desk is happy to help."</p>
        </footer>
    }
    .into_any()
}

/// A page for staff.
pub fn staff<V: IntoView + 'static>(title: &str, who: Option<&SignedIn>, demo: bool, content: V) -> AnyView {
    let out = who.map(|who| {
        let role = who.caller.role.map_or("", dewy_domain::caller::Role::name).replace('_', " ");
        view! {
            <nav aria-label="Staff">
                <a href="/staff/executions">"Executions"</a>
            </nav>
            <div class="who">
                <span>{who.caller.email.clone()} " · " {role}</span>
                <SignOutButton />
            </div>
        }
    });
    let systems = if demo { "Salesforce: sandbox · Stripe: sandbox" } else { "Live systems are connected" };
    let title = format!("{title} · Dewy Resort desk");
    view! {
        <Title text=title />
        <Body attr:class="staff" />
        <a class="skip" href="#main">"Skip to the page"</a>
        <header class="desk">
            <a class="house" href="/staff/executions">"Dewy Resort"</a>
            {out}
        </header>
        <main id="main">{content}</main>
        <footer class="foot">
            <p>{systems}</p>
        </footer>
    }
    .into_any()
}

/// A page that needs nobody signed in.
pub fn plain<V: IntoView + 'static>(persona: Persona, title: &str, content: V) -> AnyView {
    match persona {
        Persona::Guest => guest(title, None, content),
        Persona::Staff => {
            let demo = crate::gate::Gate::open().is_some_and(|gate| gate.demo());
            staff(title, None, demo, content)
        }
    }
}

#[component]
fn SignOutButton() -> impl IntoView {
    view! {
        <form method="post" action=SignOut::PATH>
            <button class="quiet">"Sign out"</button>
        </form>
    }
}
