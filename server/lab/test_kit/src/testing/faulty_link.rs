//! A TCP proxy that can fail, for tests.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::AbortHandle,
};

/// How often a link checks whether it is a black hole.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A link to a server. Connections pass through it unless it is a black hole: then no data arrives
/// on either side, nothing is reset, and connections stay open.
#[derive(Debug)]
pub struct FaultyLink {
    port: u16,
    state: Arc<State>,
    accepting: AbortHandle,
}

#[derive(Debug, Default)]
struct State {
    black_hole: AtomicBool,
    /// Refuses what a session pooler would refuse: see [`Link::pooler`].
    pooler: AtomicBool,
    made: AtomicUsize,
}

impl FaultyLink {
    /// Opens a link to `server`, on its own port.
    ///
    /// # Errors
    /// When no port is free.
    pub async fn to(server: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, server, Arc::clone(&shared)));
            }
        });
        Ok(Self {
            port,
            state,
            accepting: accepting.abort_handle(),
        })
    }

    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Starts or stops dropping all data silently.
    pub fn black_hole(&self, black: bool) {
        self.state.black_hole.store(black, Ordering::SeqCst);
    }

    /// Refuses connections with parameters a session pooler does not support, like PgBouncer with
    /// its defaults.
    pub fn pooler(&self) {
        self.state.pooler.store(true, Ordering::SeqCst);
    }

    /// Number of connections accepted so far.
    #[must_use]
    pub fn made(&self) -> usize {
        self.state.made.load(Ordering::SeqCst)
    }
}

impl Drop for FaultyLink {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn carry(mut client: TcpStream, server: SocketAddr, state: Arc<State>) {
    state.made.fetch_add(1, Ordering::SeqCst);
    open(&state).await;
    let Ok(mut server) = TcpStream::connect(server).await else {
        return;
    };
    if state.pooler.load(Ordering::SeqCst) && !admitted(&mut client, &mut server).await {
        return;
    }
    let ((from_client, to_client), (from_server, to_server)) =
        (client.into_split(), server.into_split());
    let there = tokio::spawn(copy_bytes(from_client, to_server, Arc::clone(&state)));
    copy_bytes(from_server, to_client, state).await;
    drop(there.await);
}

async fn open(state: &State) {
    while state.black_hole.load(Ordering::SeqCst) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn copy_bytes(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    state: Arc<State>,
) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        open(&state).await;
        let Ok(n @ 1..) = from.read(&mut buffer).await else {
            return;
        };
        open(&state).await;
        if to.write_all(&buffer[..n]).await.is_err() {
            return;
        }
    }
}

/// Parameters PgBouncer accepts by default.
const KNOWN: [&str; 8] = [
    "user",
    "database",
    "client_encoding",
    "datestyle",
    "timezone",
    "standard_conforming_strings",
    "application_name",
    "search_path",
];

/// Reads the startup message and forwards or refuses it.
async fn admitted(client: &mut TcpStream, server: &mut TcpStream) -> bool {
    loop {
        let Ok(length) = client.read_u32().await else {
            return false;
        };
        let mut message = vec![
            0;
            usize::try_from(length)
                .unwrap_or(4)
                .saturating_sub(4)
                .min(10_000)
        ];
        if client.read_exact(&mut message).await.is_err() {
            return false;
        }
        // A TLS request: not supported here.
        if message == [4, 210, 22, 47] {
            if client.write_all(b"N").await.is_err() {
                return false;
            }
            continue;
        }
        let mut words = message[4..]
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned());
        while let (Some(name), Some(_)) =
            (words.next().filter(|name| !name.is_empty()), words.next())
        {
            if !KNOWN.contains(&name.to_lowercase().as_str()) {
                let text = format!("SFATAL\0C08P01\0Munsupported startup parameter: {name}\0\0");
                let mut refusal = vec![b'E'];
                refusal.extend(u32::try_from(text.len() + 4).unwrap_or(0).to_be_bytes());
                refusal.extend(text.as_bytes());
                drop(client.write_all(&refusal).await);
                return false;
            }
        }
        let mut whole = length.to_be_bytes().to_vec();
        whole.extend(message);
        return server.write_all(&whole).await.is_ok();
    }
}
