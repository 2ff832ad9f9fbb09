//! Processor time from the kernel.

use std::{fs, time::Duration};

/// A process, as `/proc` shows it.
#[derive(Debug)]
pub struct ProcessStat {
    pub id: u32,
    pub parent: u32,
    /// Processor time so far, all threads.
    pub used: Duration,
    /// Time of children that have ended.
    pub ended: Duration,
    pub command: String,
}

impl ProcessStat {
    /// The process with this id, or `self`; `None` where the kernel doesn't tell.
    pub fn of(name: &str) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{name}/stat")).ok()?;
        // The second field is the program's name in parentheses, whatever it contains.
        let (before, after) = text.rsplit_once(')')?;
        let fields: Vec<&str> = after.split_whitespace().collect();
        let number = |n: usize| fields.get(n).and_then(|f| f.parse::<u64>().ok());
        // Linux reports hundredths of a second, whatever its own clock rate is.
        let time = |n: usize| Some(Duration::from_millis((number(n)? + number(n + 1)?) * 10));
        Some(Self {
            id: before.split_whitespace().next()?.parse().ok()?,
            parent: u32::try_from(number(1)?).ok()?,
            used: time(11)?,
            ended: time(13)?,
            command: fs::read_to_string(format!("/proc/{name}/cmdline")).unwrap_or_default(),
        })
    }

    pub fn all() -> Vec<Self> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let ids = names.filter(|name| name.bytes().all(|b| b.is_ascii_digit()));
        ids.filter_map(|id| Self::of(&id)).collect()
    }
}
