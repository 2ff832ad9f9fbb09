//! The document around every page.

use std::path::Path;

use leptos::prelude::*;
use leptos_meta::MetaTags;

use crate::{app::App, live::Bundle};

/// The whole document. Scripts are only asked for when the bundle is there: without it every page works, just not live.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let script = format!("{}/{}/{}.js", options.site_root, options.site_pkg_dir, options.output_name);
    let live = Path::new(&script).exists();
    provide_context(Bundle(live));
    let style = format!("/{}/{}.css", options.site_pkg_dir, options.output_name);
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="stylesheet" href=style />
                {live.then(|| view! { <HydrationScripts options=options islands=true /> })}
                <MetaTags />
            </head>
            <App />
        </html>
    }
}
