//! Keyboard shortcut help, with the switch that turns single keys off.

use crate::{
    layout::going,
    pages::prelude::*,
    preferences::{KeysSwitch, single_keys},
};

pub async fn keys_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let everywhere = [
        ("/", "Search"),
        ("Ctrl K", "Search, from anywhere, also while typing"),
        ("j", "The next row"),
        ("k", "The row before"),
        ("Enter", "Open the row"),
        ("n", "A walk-in, on Today"),
        ("?", "This sheet"),
    ];
    let row = |(keys, what): (String, String)| {
        let keys = keys
            .split(' ')
            .map(|key| view! { <kbd>{key.to_owned()}</kbd> " " })
            .collect_view();
        view! { <tr><th scope="row">{keys}</th> <td>{what}</td></tr> }
    };
    let table = |rows: Vec<(String, String)>| {
        view! {
            <table class="list keys">
                <thead><tr><th scope="col">"Keys"</th> <th scope="col">"What they do"</th></tr></thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        }
    };
    let everywhere = everywhere
        .map(|(keys, what)| (keys.to_owned(), what.to_owned()))
        .to_vec();
    let places = going(&user)
        .into_iter()
        .map(|(letter, place)| (format!("g {letter}"), place.to_owned()))
        .collect();
    let off = (!single_keys()).then(
        || view! { <p class="notice">"Single keys are switched off. Ctrl K still works."</p> },
    );
    let content = view! {
        <div class="narrow">
            <h1>"Keyboard shortcuts"</h1>
            {off}
            <section aria-labelledby="everywhere">
                <h2 id="everywhere">"Everywhere"</h2>
                {table(everywhere)}
            </section>
            <section aria-labelledby="places">
                <h2 id="places">"Go to"</h2>
                {table(places)}
            </section>
            <KeysSwitch />
        </div>
    };
    Ok(PageLayout::new("Keys").who(&user).staff(content))
}
