//! Plays dialogues, several at the same time.

use std::{
    collections::VecDeque,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use dewy_test_kit::Browser;

use crate::{
    dialogue::{Change, Dialogue, Family},
    hotel::{Hotel, Sandbox},
    judge::{Verdict, judge},
    model_player::Player,
    model_proxy::ModelProxy,
    relative_dates,
    report::PlayerReport,
    scripted_person::Conversation,
};

/// Longest wait for what the hotel does after its answer, such as opening a case.
const AFTERMATH: Duration = Duration::from_secs(5);
/// Who looks for emergencies.
const FRONT_DESK: &str = "frontdesk@dewy.example";

/// What to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who answers as the model.
    pub players: Vec<Player>,
    /// Only dialogues whose name contains one of these; all if empty.
    pub only: Vec<String>,
    /// Number of dialogues played at the same time.
    pub jobs: usize,
}

/// Dialogues that wait for a worker, with their place in the report.
type Queue = Arc<Mutex<VecDeque<(usize, Dialogue)>>>;

/// Plays the dialogues with every player against this program.
///
/// # Errors
/// A process that does not start, or a damaged data file. A failed dialogue is not an error.
pub async fn run(options: &Options, program: &Path) -> anyhow::Result<Vec<PlayerReport>> {
    let program = program
        .canonicalize()
        .with_context(|| format!("{} is missing", program.display()))?;
    // A provider may be installed already; any will do
    drop(rustls::crypto::ring::default_provider().install_default());
    let families = crate::all()?;
    let mut reports = Vec::new();
    for player in &options.players {
        reports.push(play_all(*player, &families, options, &program).await?);
    }
    Ok(reports)
}

async fn play_all(
    player: Player,
    families: &[Family],
    options: &Options,
    program: &Path,
) -> anyhow::Result<PlayerReport> {
    let started = Instant::now();
    let wanted = |dialogue: &&Dialogue| {
        let only = &options.only;
        only.is_empty() || only.iter().any(|part| dialogue.name.contains(part))
    };
    let chosen: Vec<(String, Dialogue)> = families
        .iter()
        .flat_map(|family| {
            let own = family.dialogues.iter().filter(wanted);
            own.map(|dialogue| (family.family.clone(), dialogue.clone()))
        })
        .collect();
    ensure!(!chosen.is_empty(), "no dialogue has such a name");
    let queue: Queue = Arc::new(Mutex::new(
        chosen
            .iter()
            .map(|(_, dialogue)| dialogue.clone())
            .enumerate()
            .collect(),
    ));
    let workers = (0..options.jobs.clamp(1, chosen.len())).map(|_| {
        let (queue, program) = (Arc::clone(&queue), program.to_owned());
        tokio::spawn(async move { work(player, &queue, &program).await })
    });
    let mut verdicts = vec![Verdict::default(); chosen.len()];
    for worker in workers.collect::<Vec<_>>() {
        for (at, verdict) in worker.await?? {
            if let Some(place) = verdicts.get_mut(at) {
                *place = verdict;
            }
        }
    }
    let families = chosen.into_iter().map(|(family, _)| family);
    Ok(PlayerReport {
        player,
        verdicts: families.zip(verdicts).collect(),
        took: started.elapsed(),
    })
}

async fn work(
    player: Player,
    queue: &Queue,
    program: &Path,
) -> anyhow::Result<Vec<(usize, Verdict)>> {
    let folder = new_folder()?;
    let sandbox = Sandbox::open(program, &folder).await?;
    let proxy = ModelProxy::open(&sandbox.process.url, player).await?;
    let mut verdicts = Vec::new();
    loop {
        let next = queue.lock().ok().and_then(|mut queue| queue.pop_front());
        let Some((at, dialogue)) = next else { break };
        let hotel_folder = folder.join(&dialogue.name);
        let stage = Stage {
            program,
            folder: &hotel_folder,
            sandbox: &sandbox,
            proxy: &proxy,
        };
        // A conversation that breaks off has failed; the others go on
        let verdict = stage.play(&dialogue).await;
        let mut verdict = verdict.unwrap_or_else(|error| Verdict {
            name: dialogue.name.clone(),
            reasons: vec![format!("broke off: {error:#}")],
            ..Verdict::default()
        });
        let faults = proxy.faults();
        if player == Player::Gold {
            verdict.reasons.extend(faults);
        }
        verdicts.push((at, verdict));
    }
    drop(sandbox);
    // Only files of this run
    drop(fs::remove_dir_all(folder));
    Ok(verdicts)
}

/// Where a dialogue is played.
struct Stage<'a> {
    program: &'a Path,
    folder: &'a Path,
    sandbox: &'a Sandbox,
    proxy: &'a ModelProxy,
}

impl Stage<'_> {
    async fn play(&self, dialogue: &Dialogue) -> anyhow::Result<Verdict> {
        let today = self.sandbox.reset().await?;
        let hotel = Hotel::open(self.program, self.folder, &self.proxy.url).await?;
        let mut browser = Browser::sign_in(&hotel.process.url, &dialogue.who).await?;
        for change in &dialogue.world {
            let change = match change {
                Change::Edit { record, fields } => Change::Edit {
                    record: record.clone(),
                    fields: relative_dates::substitute_dates_in(fields, today)?,
                },
                Change::Fault(fault) => Change::Fault(fault.clone()),
            };
            self.sandbox.change(&change).await?;
        }
        let start = self.sandbox.ledger().await?;
        let conversation =
            Conversation::begin(dialogue, today, &mut browser, self.sandbox, self.proxy);
        let mut played = conversation.await?.play().await?;
        let urgent = if dialogue.ends.urgent {
            let mut desk = Browser::sign_in(&hotel.process.url, FRONT_DESK).await?;
            let page = desk.get("/staff/conversations").await?;
            Some(page.contains("Emergency"))
        } else {
            None
        };
        let started = Instant::now();
        let mut verdict = loop {
            let verdict = judge(dialogue, today, &played, urgent)?;
            let late = |reason: &String| reason.starts_with("did not happen");
            if !verdict.reasons.iter().any(late) || started.elapsed() > AFTERMATH {
                break verdict;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
            played.changes = start.changes(&self.sandbox.ledger().await?);
        };
        verdict.violations = self.sandbox.ledger().await?.violations();
        hotel.close().await?;
        Ok(verdict)
    }
}

fn new_folder() -> anyhow::Result<PathBuf> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("dewy-dialogues-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
