use dewy_saga::{State, journal::Filter};

use super::kit::{Subject, new, read};

every_store!(counted_by_state, found_by_all_labels);

async fn counted_by_state(s: Subject) {
    assert_eq!(s.journal.counts().await.unwrap(), []);
    for n in 0..5 {
        let mut run = s.run("w1").await;
        if n < 3 {
            run.append(&*s.journal, vec![read()]).await;
        }
    }
    assert_eq!(s.journal.counts().await.unwrap(), [(State::Queued, 2), (State::Running, 3)]);
}

async fn found_by_all_labels(s: Subject) {
    let mut ids = Vec::new();
    for labels in [&[("a", "1")][..], &[("a", "1"), ("b", "2")], &[("a", "2"), ("b", "2")], &[]] {
        let labels = labels.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let run = s.start(dewy_saga::journal::NewExecution { labels, ..new(s.id(), "w1") }).await;
        ids.push(run.lease.id);
    }
    let find = async |labels: &[(&str, &str)]| {
        let labels = labels.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let found = s.journal.list(&Filter { labels, limit: 9, ..Filter::default() }).await.unwrap();
        let mut found: Vec<_> = found.into_iter().map(|r| ids.iter().position(|id| *id == r.id).unwrap()).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(find(&[]).await, [0, 1, 2, 3]);
    assert_eq!(find(&[("a", "1")]).await, [0, 1]);
    assert_eq!(find(&[("b", "2"), ("a", "1")]).await, [1]);
    assert_eq!(find(&[("b", "2"), ("b", "2")]).await, [1, 2]);
    assert_eq!(find(&[("a", "1"), ("a", "2")]).await, [0_usize; 0]);
    assert_eq!(find(&[("c", "1")]).await, [0_usize; 0]);
}
