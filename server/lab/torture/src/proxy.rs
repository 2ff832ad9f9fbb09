//! Unreliable network between the hotel and the outside systems.
//!
//! ```text
//! dewy serve ──► proxy ──► sandbox        every request may be lost, delayed, cut off, reset, answered by a gateway,
//!            ◄──       ◄──                delivered twice, or delivered again much later; so may every event that is
//!                                         sent to a webhook (`webhook_addresses.rs`)
//! ```
//!
//! It implements plain HTTP/1.1 over TCP, so that it can do what no library would: announce a wrong
//! length, stay silent on an open connection, reset one. Faults are drawn from the run's seed.

mod http_message;
mod link_fault;
mod proxy_exchange;
mod upstream_system;
mod webhook_addresses;

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use fastrand::Rng;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::Instant,
};
use url::form_urlencoded;

pub use self::{http_message::Message, link_fault::LinkFault, upstream_system::System};
use self::{
    link_fault::FaultDeck,
    proxy_exchange::{forward_request, forward_response, hold_open},
    webhook_addresses::WebhookAddresses,
};

/// Maximum delay: longer than any deadline of the run.
const MAX_DELAY_MS: u64 = 2500;
/// Delay of a replayed request in milliseconds: soon, or minutes later, scaled like the run's
/// leases and deadlines.
const REPLAY_AFTER: [(u64, u64); 2] = [(300, 4_000), (4_000, 45_000)];

/// Text in a request to Twilio: recipient and message.
pub type Text = (String, String);

/// Request that will be delivered once more.
#[derive(Debug)]
struct Replay {
    due: Instant,
    system: System,
    target: SocketAddr,
    request: Message,
}

#[derive(Debug)]
struct Shared {
    troubled: AtomicBool,
    rng: Mutex<Rng>,
    decks: Mutex<BTreeMap<System, FaultDeck>>,
    counts: Mutex<BTreeMap<(System, LinkFault), u32>>,
    extra_texts: Mutex<Vec<Text>>,
    replays: Mutex<VecDeque<Replay>>,
    hooks: Mutex<WebhookAddresses>,
}

/// The proxy; it stops when dropped.
#[derive(Debug)]
pub struct Proxy {
    /// Its URL, as the hotel uses it.
    pub url: String,
    shared: Arc<Shared>,
    _tasks: JoinSet<()>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Proxy {
    /// Listens on its own port, for requests to this address.
    pub async fn open(target: SocketAddr, seed: u64) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let decks = System::ALL
            .iter()
            .zip(1..)
            .map(|(system, n)| (*system, FaultDeck::new(crate::rng(seed, 70_000 + n))));
        let shared = Arc::new(Shared {
            troubled: AtomicBool::new(false),
            rng: Mutex::new(crate::rng(seed, 70_000)),
            decks: Mutex::new(decks.collect()),
            counts: Mutex::default(),
            extra_texts: Mutex::default(),
            replays: Mutex::default(),
            hooks: Mutex::default(),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, target, Arc::clone(&shared)));
        tasks.spawn(replay(Arc::clone(&shared)));
        Ok(Self {
            url,
            shared,
            _tasks: tasks,
        })
    }

    /// Turns faults on or off. When they are turned off, pending replays are delivered at once.
    pub fn set_faults(&self, on: bool) {
        self.shared.troubled.store(on, Ordering::SeqCst);
        if !on {
            lock(&self.shared.replays)
                .iter_mut()
                .for_each(|replay| replay.due = Instant::now());
        }
    }

    pub fn counts(&self) -> BTreeMap<(System, LinkFault), u32> {
        lock(&self.shared.counts).clone()
    }

    /// Texts that were delivered more often than the hotel sent them: Twilio has no idempotency
    /// keys.
    pub fn extra_texts(&self) -> Vec<Text> {
        lock(&self.shared.extra_texts).clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        lock(&self.shared.hooks).close();
    }
}

async fn accept(listener: TcpListener, target: SocketAddr, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            let shared = Arc::clone(&shared);
            // The caller notices a failed connection.
            connections.spawn(async move { drop(shared.serve(stream, target).await) });
        }
        while connections.try_join_next().is_some() {}
    }
}

/// Delivers replayed requests when they are due; their responses are dropped.
async fn replay(shared: Arc<Shared>) {
    let mut deliveries = JoinSet::new();
    loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        while deliveries.try_join_next().is_some() {}
        let now = Instant::now();
        let due: Vec<_> = {
            let mut replays = lock(&shared.replays);
            let (due, later) = replays.drain(..).partition(|replay| replay.due <= now);
            *replays = later;
            Vec::from(due)
        };
        for replay in due {
            let shared = Arc::clone(&shared);
            deliveries.spawn(async move {
                shared.delivered_once_more(&replay.request);
                shared.count(replay.system, LinkFault::Replayed);
                drop(forward_request(replay.target, &replay.request).await);
            });
        }
    }
}

impl Shared {
    /// Forwards one connection until it ends.
    async fn serve(self: &Arc<Self>, mut stream: TcpStream, target: SocketAddr) -> io::Result<()> {
        stream.set_nodelay(true)?;
        while let Some(request) = Message::read(&mut stream).await? {
            let Some(system) = System::of(request.path()) else {
                if !forward_response(&mut stream, self.pass(target, request).await?).await? {
                    break;
                }
                continue;
            };
            let open = match self.fault(system, request.method() != "GET") {
                Some(LinkFault::Replayed) => {
                    self.remember(system, target, &request);
                    forward_response(&mut stream, forward_request(target, &request).await).await?
                }
                Some(fault) => {
                    self.count(system, fault);
                    self.apply_fault(&mut stream, target, &request, fault)
                        .await?
                }
                None => {
                    forward_response(&mut stream, forward_request(target, &request).await).await?
                }
            };
            if !open {
                break;
            }
        }
        Ok(())
    }

    /// Forwards requests without faults. Webhooks are registered under the proxy's address,
    /// transparently.
    async fn pass(
        self: &Arc<Self>,
        target: SocketAddr,
        mut request: Message,
    ) -> io::Result<Option<Message>> {
        if !request.path().starts_with(webhook_addresses::ENDPOINTS) {
            return Ok(forward_request(target, &request).await);
        }
        if let Some(hotel) = webhook_addresses::address(&request) {
            let ours = lock(&self.hooks).before(hotel, self)?;
            webhook_addresses::redirect(&mut request, hotel, ours);
        }
        let mut answered = forward_request(target, &request).await;
        answered
            .iter_mut()
            .for_each(|answered| lock(&self.hooks).hide(answered));
        Ok(answered)
    }

    fn fault(&self, system: System, writes: bool) -> Option<LinkFault> {
        if !self.troubled.load(Ordering::SeqCst) {
            return None;
        }
        lock(&self.decks)
            .get_mut(&system)?
            .next_fault(system.percent(), writes)
    }

    /// Applies a fault; true when the connection can be reused.
    async fn apply_fault(
        &self,
        stream: &mut TcpStream,
        target: SocketAddr,
        request: &Message,
        fault: LinkFault,
    ) -> io::Result<bool> {
        let delivered = || forward_request(target, request);
        match fault {
            LinkFault::LostRequest => hold_open(stream).await,
            LinkFault::LostAnswer => {
                delivered().await;
                hold_open(stream).await
            }
            LinkFault::Delayed => {
                let (before, late) =
                    self.random(|rng| (rng.u64(..100) < 50, rng.u64(50..=MAX_DELAY_MS)));
                let late = Duration::from_millis(late);
                if before {
                    tokio::time::sleep(late).await;
                }
                let answered = delivered().await;
                if !before {
                    tokio::time::sleep(late).await;
                }
                forward_response(stream, answered).await
            }
            LinkFault::Truncated => {
                let Some(answered) = delivered().await else {
                    return Ok(false);
                };
                let whole = answered.bytes(answered.body.len(), false);
                stream
                    .write_all(&whole[..whole.len() - answered.body.len().div_ceil(2)])
                    .await?;
                Ok(false)
            }
            LinkFault::Duplicated => {
                self.delivered_once_more(request);
                let (together, gap, second) =
                    self.random(|rng| (rng.u64(..100) < 50, rng.u64(0..=900), rng.u64(..100) < 50));
                let (one, other) = if together {
                    tokio::join!(delivered(), delivered())
                } else {
                    let one = delivered().await;
                    if !second {
                        // The answered caller continues; the same request arrives again later.
                        let open = forward_response(stream, one).await?;
                        tokio::time::sleep(Duration::from_millis(gap)).await;
                        delivered().await;
                        return Ok(open);
                    }
                    tokio::time::sleep(Duration::from_millis(gap)).await;
                    (one, delivered().await)
                };
                forward_response(stream, if second { other } else { one }).await
            }
            LinkFault::Reset => {
                delivered().await;
                stream.set_zero_linger()?;
                Ok(false)
            }
            LinkFault::BadGateway => {
                delivered().await;
                forward_response(stream, Some(Message::bad_gateway())).await
            }
            LinkFault::WrongLength => {
                let Some(answered) = delivered().await else {
                    return Ok(false);
                };
                let by = self.random(|rng| usize::try_from(rng.u64(1..=40)).unwrap_or(1));
                let longer = self.random(|rng| rng.u64(..100) < 50);
                let length = answered.body.len();
                let length = if longer {
                    length + by
                } else {
                    length.saturating_sub(by)
                };
                stream.write_all(&answered.bytes(length, false)).await?;
                // Too long: the rest never arrives. Too short: the remainder precedes the next
                // response.
                if longer {
                    hold_open(stream).await
                } else {
                    Ok(true)
                }
            }
            LinkFault::Replayed => forward_response(stream, delivered().await).await,
        }
    }

    fn remember(&self, system: System, target: SocketAddr, request: &Message) {
        let [soon, late] = REPLAY_AFTER;
        let after = self.random(|rng| if rng.u64(..100) < 40 { soon } else { late });
        let after = self.random(|rng| rng.u64(after.0..=after.1));
        let due = Instant::now() + Duration::from_millis(after);
        lock(&self.replays).push_back(Replay {
            due,
            system,
            target,
            request: request.clone(),
        });
    }

    fn delivered_once_more(&self, request: &Message) {
        if System::of(request.path()) == Some(System::Twilio) {
            let field = |name: &str| {
                let mut fields = form_urlencoded::parse(&request.body);
                fields
                    .find(|(n, _)| n == name)
                    .map(|(_, value)| value.into_owned())
                    .unwrap_or_default()
            };
            lock(&self.extra_texts).push((field("To"), field("Body")));
        }
    }

    fn random<T>(&self, of: impl FnOnce(&mut Rng) -> T) -> T {
        of(&mut lock(&self.rng))
    }

    fn count(&self, system: System, fault: LinkFault) {
        *lock(&self.counts).entry((system, fault)).or_default() += 1;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod tests;
