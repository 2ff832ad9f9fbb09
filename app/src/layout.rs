//! Layouts: spacious for guests, dense for staff.

mod contact_line;
mod emergency_panel;
mod guest_nav;
mod language_switch;
mod main_element;
mod staff_nav;

use dewy_domain::{
    caller::{Persona, Role},
    deployment_mode::DeploymentMode,
    hotel_profile::HotelProfile,
    ports::SignedIn,
};
use jiff::Timestamp;
use leptos::prelude::*;
use leptos_meta::{Body, Title};

use contact_line::help;
use emergency_panel::emergency_panel;
use guest_nav::GuestNav;
use language_switch::LanguageSwitch;
use main_element::main_element;
pub use staff_nav::going;
use staff_nav::{foot, nav, search};

use crate::{
    attention_summary,
    components::Icon,
    escape::escaped,
    flash::Flash,
    hotel_profile::hotel,
    http_request::with_path,
    islands::{ConciergePanel, CopyButtons, KeyboardShortcuts},
    language::t,
    page_context::PageContext,
    preferences::{DensitySwitch, ThemeSwitch, density, single_keys},
    sign_out::SignOutButton,
};

/// Page settings besides the content.
#[derive(Clone, Debug)]
pub struct PageLayout<'a> {
    title: &'a str,
    user: Option<&'a SignedIn>,
    follows: Option<EventStream>,
    flash: Option<Flash>,
    dock: bool,
    emergency_panel: bool,
    public: bool,
}

/// Live updates of a page.
#[derive(Clone, Debug)]
pub struct EventStream {
    /// Stream; none when there are no further events.
    pub events: Option<String>,
    /// Version of the page's content; an event with another number means a change.
    pub seq: i64,
    /// When the content was read, if that was before the page was made.
    pub as_of: Option<Timestamp>,
}

impl<'a> PageLayout<'a> {
    pub const fn new(title: &'a str) -> Self {
        Self {
            title,
            user: None,
            follows: None,
            flash: None,
            dock: true,
            emergency_panel: true,
            public: false,
        }
    }

    #[must_use]
    pub const fn who(mut self, user: &'a SignedIn) -> Self {
        self.user = Some(user);
        self
    }

    #[must_use]
    pub fn flash(mut self, flash: Option<Flash>) -> Self {
        self.flash = flash;
        self
    }

    /// Whether a guest's emergency has its panel. The page of its conversation says the same.
    pub const fn emergency_panel(mut self, shown: bool) -> Self {
        self.emergency_panel = shown;
        self
    }

    /// Leaves out the concierge's dock, for the concierge's own page.
    #[must_use]
    pub const fn without_dock(mut self) -> Self {
        self.dock = false;
        self
    }

    /// Page for everyone: wider, with links to the rooms and to a guest's own stay. A signed-in
    /// guest has their own navigation there.
    #[must_use]
    pub fn public(mut self, user: Option<&'a SignedIn>) -> Self {
        self.public = true;
        self.user = user.filter(|user| user.caller.persona == Persona::Guest);
        self
    }

    /// Makes its regions live.
    #[must_use]
    pub fn follows(mut self, follows: EventStream) -> Self {
        self.follows = Some(follows);
        self
    }

    pub fn guest<V: IntoView + 'static>(self, content: V) -> AnyView {
        let out = self.user.map(|user| {
            let name = if user.first_name.is_empty() {
                user.caller.email.to_string()
            } else {
                user.first_name.clone()
            };
            view! {
                <div class="who">
                    {account_link(name)}
                    <SignOutButton />
                </div>
                <GuestNav />
            }
            .into_any()
        });
        let out = out.or_else(|| self.public.then(visitor_nav));
        let class = if self.public { "guest public" } else { "guest" };
        let hotel = hotel();
        let help = help(self.user.is_some(), &hotel);
        let staff = (self.public && self.user.is_none())
            .then(|| view! { <p><a href="/staff">{t!("landing-staff")}</a></p> });
        let attention = attention_summary::seen();
        let danger = self.user.is_some() && self.emergency_panel;
        let danger = danger.then(|| emergency_panel(&attention));
        let content = view! { {danger} {self.flash.map(Flash::view)} {content} };
        let title = format!("{} · {}", self.title, hotel.name);
        let house = if self.user.is_some() { "/guest" } else { "/" };
        let talk = self.user.map(|_| concierge_dock(Persona::Guest, self.dock));
        view! {
            <Title text=escaped(&title) />
            <Body attr:class=class />
            <a class="skip" href="#main">{t!("layout-skip")}</a>
            <header class="letterhead">
                <a class="house" href=house>
                    <Emblem />
                    {hotel.name.clone()}
                </a>
                {out}
            </header>
            {main_element(self.follows, &attention, Persona::Guest, content)}
            {talk}
            <footer class="foot">
                {help}
                {documents(&hotel)}
                {staff}
                <div class="switches">
                    <LanguageSwitch />
                    <ThemeSwitch />
                </div>
            </footer>
        }
        .into_any()
    }

    pub fn staff<V: IntoView + 'static>(self, content: V) -> AnyView {
        let mode = PageContext::open().map(|ctx| match ctx.system_status.mode() {
            DeploymentMode::Demo => "Demo: every outside system is simulated",
            DeploymentMode::Trial => "Trial: test accounts, no real money",
            DeploymentMode::Live => "Live",
        });
        let out = self.user.map(|user| {
            let link = self.dock.then(talk_link);
            let role = user.caller.role.map_or("", Role::name).replace('_', " ");
            view! {
                {nav(user)}
                {search()}
                <div class="who">
                    {link}
                    <a class="account-link" href="/staff/account"><Icon state="person" /> <span>{user.caller.email.to_string()}</span></a>
                    <span>{role}</span>
                    <SignOutButton />
                </div>
            }
        });
        let inside = self.user.is_some();
        let talk = self.user.map(|_| concierge_dock(Persona::Staff, self.dock));
        let content = view! { {inside.then(sounds)} {self.flash.map(Flash::view)} {content} };
        let hotel = hotel();
        let attention = attention_summary::seen();
        let waits = attention.waiting();
        let waits = if waits > 0 {
            format!("({waits}) ")
        } else {
            String::new()
        };
        let title = format!("{waits}{} · {} desk", self.title, hotel.name);
        let today = self.title == "Today";
        let strip = self
            .user
            .map(|_| attention_summary::strip(&attention, today));
        // Every page follows the attention count
        let follows = match (self.user, self.follows) {
            (None, follows) => follows,
            (
                Some(_),
                Some(
                    follows @ EventStream {
                        events: Some(_), ..
                    },
                ),
            ) => Some(follows),
            (Some(_), _) => Some(EventStream {
                events: Some(attention_summary::EVENTS.to_owned()),
                seq: 0,
                as_of: None,
            }),
        };
        view! {
            <Title text=escaped(&title) />
            <Body attr:class="staff" attr:data-density=density() attr:data-keys=if single_keys() { "on" } else { "off" } />
            <a class="skip" href="#main">"Skip to the page"</a>
            {inside.then(|| view! { <KeyboardShortcuts /> <CopyButtons /> })}
            <header class="desk">
                <a class="house" href="/staff">
                    <Emblem />
                    {hotel.name.clone()}
                </a>
                {out}
            </header>
            {strip}
            {main_element(follows, &attention, Persona::Staff, content)}
            {talk}
            <footer class="foot">
                <p>{mode}</p>
                {inside.then(foot)}
                <DensitySwitch />
                <ThemeSwitch />
            </footer>
        }
        .into_any()
    }

    /// Page for a screen on the wall: nothing around the content but what says how old it is.
    pub fn wall<V: IntoView + 'static>(self, content: V) -> AnyView {
        let title = format!("{} · {}", self.title, hotel().name);
        view! {
            <Title text=escaped(&title) />
            <Body attr:class="staff wall" />
            {main_element(self.follows, &attention_summary::seen(), Persona::Staff, content)}
            <footer class="foot">
                <p><a href="/staff/rooms">"Rooms"</a></p>
                <ThemeSwitch />
            </footer>
        }
        .into_any()
    }

    /// Page that requires no sign-in.
    pub fn plain<V: IntoView + 'static>(self, persona: Persona, content: V) -> AnyView {
        match persona {
            Persona::Guest => self.guest(content),
            Persona::Staff => self.staff(content),
        }
    }
}

/// Link to the guest's account: their name, on a phone an icon.
fn account_link(name: String) -> AnyView {
    let here = with_path(|path| path == "/guest/account").unwrap_or_default();
    view! {
        <a class="account-link" href="/guest/account" aria-current=here.then_some("page")>
            <Icon state="person" />
            <span>{name}</span>
            <span class="unseen">{t!("nav-account")}</span>
        </a>
    }
    .into_any()
}

/// Links to the hotel's own texts, if it has any.
fn documents(hotel: &HotelProfile) -> Option<AnyView> {
    let link = |href, words, text: &Option<String>| {
        text.is_some()
            .then(|| view! { <a href=href>{words}</a> " " })
    };
    let links = [
        link("/privacy", t!("hotel-privacy"), &hotel.privacy),
        link("/terms", t!("hotel-terms"), &hotel.terms),
    ];
    let links: Vec<_> = links.into_iter().flatten().collect();
    (!links.is_empty()).then(|| view! { <p class="documents">{links}</p> }.into_any())
}

/// Links for visitors who are not signed in.
fn visitor_nav() -> AnyView {
    view! {
        <nav class="visitor" aria-label=t!("layout-hotel")>
            <a href="/rooms">{t!("layout-rooms")}</a>
            <a href="/guest">{t!("layout-my-stay")}</a>
        </nav>
    }
    .into_any()
}

/// Sounds for new items; a browser that blocks sound before a click shows a notice.
fn sounds() -> AnyView {
    view! {
        <audio data-sound="alarm" src="/alarm.wav" preload="none"></audio>
        <audio data-sound="chime" src="/chime.wav" preload="none"></audio>
        <div class="sound-off" role="status">
            <p><Icon state="bar" /> "There is an alert, but this browser blocks its sound."</p>
            <button type="button" class="quiet" data-sound-off="" hidden>"Turn the sound on"</button>
        </div>
    }
    .into_any()
}

/// Link to the staff's concierge. Without scripts it opens its own page.
fn talk_link() -> AnyView {
    view! {
        <a class="talk-open" href="/staff/concierge"><Icon state="talk" /> <span>{t!("concierge")}</span></a>
    }
    .into_any()
}

/// Concierge dock, closed by default; on the concierge's own page only the island that activates
/// it.
fn concierge_dock(persona: Persona, dock: bool) -> AnyView {
    if !dock {
        return view! { <ConciergePanel /> }.into_any();
    }
    let url = format!("/{}/concierge", persona.name());
    view! {
        <aside class="dock" id="dock" data-url=url aria-label=t!("concierge") data-failed=t!("concierge-unreachable") hidden>
            <button type="button" class="quiet dock-close">{t!("close")}</button>
            <div data-dock-place=""></div>
        </aside>
        <ConciergePanel />
    }
    .into_any()
}

#[component]
fn Emblem() -> impl IntoView {
    view! { <Icon state="drop" /> }
}
