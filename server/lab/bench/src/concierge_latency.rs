//! Latency that the concierge adds to its model, and cost of open conversations: `cargo xtask bench
//! talk [--questions N] [--rounds N]`.
//!
//! ```text
//! alone:      this process ─────────────────────────────────────► `dewy sandbox`, the model at zero latency
//! concierge:  this process ─► `dewy serve`: form, turn, loop, SSE ─► the same model
//! ```
//! One question at a time, alternating between the model alone and the concierge, each timed from
//! sending it to the first visible word. Alone, the model gets what the loop would send:
//! instructions, the guest's tools, the conversation so far. Then two hundred conversations are
//! followed at once, all of them get a message in each round, and the hotel's memory is printed
//! after each round.

mod conversation;
mod model_alone;
mod open_conversations;
mod stream_follower;

use std::time::Duration;

use clap::Args;
use serde_json::json;

use crate::support::{
    latencies::Round,
    test_server::{GUEST, TestServer},
};

/// Answered without a tool: the loop is measured, not its reads from Salesforce.
pub const QUESTION: &str = "Hello";
/// Number of questions that warm up connections, caches and templates.
const WARM_UP: usize = 5;

#[derive(Debug, Args)]
pub struct Options {
    /// Number of questions on each side.
    #[arg(long, default_value_t = 60)]
    questions: usize,
    /// Number of messages to each of the two hundred.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// Measures and prints.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    let Options { questions, rounds } = *options;
    // Thousands of questions by two people, whom no limit should stop
    let server = TestServer::open(&[("CONCIERGE_TOKENS_PER_GUEST_AND_DAY", "1000000000")]).await?;
    first_word(&server, questions).await?;
    open_conversations::measure(&server, rounds).await?;
    server.close();
    Ok(())
}

async fn first_word(server: &TestServer, questions: usize) -> anyhow::Result<()> {
    let guest = server.sign_in(GUEST).await?;
    let mut talk = conversation::OpenConversation::begin(guest, &server.address).await?;
    let mut model = model_alone::Model::open(&server.sandbox.address).await?;
    let (mut alone, mut through, mut taken, mut ended) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for question in 0..WARM_UP + questions {
        let model = model.ask(question).await?;
        let reply = talk.ask(question).await?;
        if question >= WARM_UP {
            alone.push(model);
            through.push(reply.first_word);
            taken.push(reply.taken);
            ended.push(reply.ended);
        }
    }
    let [alone, through, taken, ended] =
        [alone, through, taken, ended].map(|times| Round::new(times, Duration::ZERO));
    let ms = |round: &Round, percent| round.ms(percent);
    println!("the first word of an answer, {questions} questions each, in turns");
    let rows = [
        ("the model alone", &alone),
        ("through our loop", &through),
        ("   of which: the form is taken", &taken),
        ("the end is told through our loop", &ended),
    ];
    for (name, round) in rows {
        println!(
            "  {:>8.2} ms p50   {:>8.2} ms p95   {name}",
            ms(round, 50),
            ms(round, 95)
        );
    }
    let added = ms(&through, 50) - ms(&alone, 50);
    println!("  {added:>8.2} ms added by our loop, from p50 to p50");
    let line = json!({ "bench": "talk", "part": "first_word", "questions": questions, "alone_p50_ms": ms(&alone, 50),
        "alone_p95_ms": ms(&alone, 95), "through_p50_ms": ms(&through, 50), "through_p95_ms": ms(&through, 95),
        "taken_p50_ms": ms(&taken, 50), "ended_p50_ms": ms(&ended, 50), "ended_p95_ms": ms(&ended, 95), "added_ms": added });
    println!("{line}\n");
    Ok(())
}
