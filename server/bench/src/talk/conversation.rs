//! A person at a conversation's page: a form to write in, and the stream beside it.

use std::time::{Duration, Instant};

use anyhow::ensure;

use super::{QUESTION, follower::Follower};
use crate::support::browser::Browser;

/// One conversation, open in one browser.
#[derive(Debug)]
pub struct Talk {
    browser: Browser,
    place: String,
    follower: Follower,
}

/// When what happened, from sending the form.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    /// The form was answered.
    pub taken: Duration,
    /// The first word could be read.
    pub first_word: Duration,
    /// The answer is complete, and something else can be said.
    pub ended: Duration,
}

impl Talk {
    /// Begins one, and waits for its first answer.
    pub async fn begin(mut browser: Browser, address: &str) -> anyhow::Result<Self> {
        let place = begin(&mut browser, "guest", "first").await?;
        let follower = Follower::open(address, &browser, &place).await?;
        Ok(Self {
            browser,
            place,
            follower,
        })
    }

    /// Asks once, and reads the answer to its end.
    pub async fn ask(&mut self, number: usize) -> anyhow::Result<Reply> {
        let begun = Instant::now();
        let said = async {
            say(
                &mut self.browser,
                &self.place,
                &format!("question-{number}"),
            )
            .await?;
            anyhow::Ok(begun.elapsed())
        };
        let (taken, first_word) = tokio::try_join!(said, self.follower.first_word())?;
        self.follower.quiet().await?;
        Ok(Reply {
            taken,
            first_word: first_word.duration_since(begun),
            ended: begun.elapsed(),
        })
    }
}

/// Begins a conversation without waiting at it by a script, as a browser without one does: its
/// answer is complete then.
pub async fn begin(browser: &mut Browser, persona: &str, token: &str) -> anyhow::Result<String> {
    let form = format!("text={QUESTION}&idempotency_token={token}");
    browser.post("/form/concierge_say", &form).await?;
    let place = browser.location().to_owned();
    ensure!(
        place.starts_with(&format!("/{persona}/concierge/cnv_")),
        "no conversation was begun: {place}"
    );
    Ok(place)
}

/// Says it in that conversation, and does not wait.
pub async fn say(browser: &mut Browser, place: &str, token: &str) -> anyhow::Result<()> {
    let conversation = place.rsplit('/').next().unwrap_or_default();
    let form =
        format!("conversation={conversation}&text={QUESTION}&idempotency_token={token}&live=live");
    browser.post("/form/concierge_say", &form).await?;
    ensure!(
        browser.location() == place,
        "sent to {} instead of {place}",
        browser.location()
    );
    Ok(())
}
