use dewy_domain::concierge::{DangerReport, Responder};
use jiff::Timestamp;

use super::*;

#[test]
fn a_guest_in_danger_waits_since_their_first_message_without_an_answer() {
    let at = |minutes: u64| Timestamp::UNIX_EPOCH + Duration::from_secs(60 * minutes);
    let read = Read {
        stuck: 0,
        at_stake: Vec::new(),
        contacts: BTreeMap::new(),
        waiting: Vec::new(),
        paused: false,
        snapshot: None,
        silent: Vec::new(),
        refused: Vec::new(),
    };
    let line = |waiting_since| ConversationSummary {
        id: "cnv_1".to_owned(),
        title: "Fire".to_owned(),
        owner: "beth.gibbs@email.com".into(),
        standing: Responder::Staff,
        case_number: None,
        changed_at: at(9),
        waiting_since,
        emergency: Some(DangerReport {
            text: "Fire".to_owned(),
            possible: false,
            at: at(1),
            latest: None,
            seq: 1,
        }),
    };
    let told = |since| {
        let line = emergency(&line(since), &read).unwrap();
        (line.since, line.answered)
    };
    assert_eq!(told(Some(at(5))), (at(5), false), "written again at 5");
    assert_eq!(told(None), (at(1), true), "since the danger");
}
