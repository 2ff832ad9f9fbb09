//! Conversation page: a form to write in, and its event stream.

use std::time::{Duration, Instant};

use anyhow::ensure;
use dewy_test_kit::Browser;

use super::{QUESTION, stream_follower::StreamFollower};

#[derive(Debug)]
pub struct OpenConversation {
    browser: Browser,
    place: String,
    follower: StreamFollower,
}

/// Times since the form was sent.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    /// Response to the form.
    pub taken: Duration,
    /// First visible word.
    pub first_word: Duration,
    /// Complete answer; the next message can be sent.
    pub ended: Duration,
}

impl OpenConversation {
    /// Starts one, and waits for its first answer.
    pub async fn begin(mut browser: Browser, address: &str) -> anyhow::Result<Self> {
        let place = begin(&mut browser, "guest", "first").await?;
        let follower = StreamFollower::open(address, &browser, &place).await?;
        Ok(Self {
            browser,
            place,
            follower,
        })
    }

    /// Asks once, and reads the whole answer.
    pub async fn ask(&mut self, number: usize) -> anyhow::Result<Reply> {
        let started = Instant::now();
        let said = async {
            say(
                &mut self.browser,
                &self.place,
                &format!("question-{number}"),
            )
            .await?;
            anyhow::Ok(started.elapsed())
        };
        let (taken, first_word) = tokio::try_join!(said, self.follower.first_word())?;
        self.follower.quiet().await?;
        Ok(Reply {
            taken,
            first_word: first_word.duration_since(started),
            ended: started.elapsed(),
        })
    }
}

/// Starts a conversation like a browser without scripts: the response contains the complete answer.
pub async fn begin(browser: &mut Browser, persona: &str, token: &str) -> anyhow::Result<String> {
    let form = [("text", QUESTION), ("idempotency_token", token)];
    let place = browser.post("/form/concierge_say", &form).await?;
    let begun = place.starts_with(&format!("/{persona}/concierge/cnv_"));
    ensure!(begun, "no conversation was begun: {place}");
    Ok(place)
}

/// Sends a message to that conversation, and doesn't wait.
pub async fn say(browser: &mut Browser, place: &str, token: &str) -> anyhow::Result<()> {
    let form = [
        ("conversation", place.rsplit('/').next().unwrap_or_default()),
        ("text", QUESTION),
        ("idempotency_token", token),
        ("live", "live"),
    ];
    let sent = browser.post("/form/concierge_say", &form).await?;
    ensure!(sent == place, "sent to {sent} instead of {place}");
    Ok(())
}
