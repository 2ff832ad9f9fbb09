//! Sentences besides the description test, as typed by somebody who tries the concierge for the
//! first time, and the tools they lead to. They were written before the model was first run on
//! them: 71 of 76 were right. The rules were then corrected.

use crate::prelude::*;

/// Persona, the expected tools, and the sentence.
const SENTENCES: &str = include_str!("first_time_sentences.txt");

/// Tools called for a sentence.
async fn led_to(who: &str, says: &str) -> String {
    let role = Some(who).filter(|who| *who != "guest");
    let facts = match role {
        None => {
            json!({"today": "2026-03-10", "time_zone": "UTC", "persona": "guest", "name": "Beth Gibbs",
            "guest_email": "beth.gibbs@email.com", "room_number": "302", "booking_number": "BK-0042", "check_in_date": "2026-03-08",
            "check_out_date": "2026-03-10", "stay_status": "Checked In"})
        }
        Some(role) => {
            json!({"today": "2026-03-10", "time_zone": "UTC", "persona": "staff", "role": role, "name": "Felix Dawson"})
        }
    };
    let messages = [system(&facts), json!({"role": "user", "content": says})];
    let reply = ask(&sandbox(), &messages, &tools(role)).await;
    reply
        .calls
        .iter()
        .map(|(_, tool, _)| tool.as_str())
        .collect::<Vec<_>>()
        .join("+")
}

#[tokio::test(start_paused = true)]
async fn first_time_sentences_lead_somewhere_sensible() {
    let mut wrong = Vec::new();
    let sentences: Vec<_> = SENTENCES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    for line in &sentences {
        let [who, right, says] = line.splitn(3, "; ").collect::<Vec<_>>().try_into().unwrap();
        let made = led_to(who, says).await;
        if !right.split('|').any(|right| right == made) {
            wrong.push(format!("{who}: {says}\n    {right}\n    made {made}"));
        }
    }
    println!(
        "{} of {} right\n{}",
        sentences.len() - wrong.len(),
        sentences.len(),
        wrong.join("\n")
    );
    assert!(wrong.len() * 20 <= sentences.len(), "one in twenty at most");
}
