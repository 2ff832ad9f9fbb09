//! Mail server on a real port that accepts or rejects emails.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpSocket, TcpStream},
};

use crate::prelude::*;

/// What it does with the next emails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    /// Takes them.
    Good,
    /// Knows nobody of that address.
    Refusing,
    /// Takes no password.
    NoSignIn,
    ForeignSender,
    /// Accepts one email but closes the connection without confirming; then works normally.
    Silent,
}

/// A port on which nobody listens, and that nobody else gets meanwhile.
pub fn reserve_port() -> (TcpSocket, u16) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}

/// The server; it goes with its runtime.
#[derive(Clone)]
pub struct MailServer {
    pub address: SocketAddr,
    state: Arc<Mutex<(Behavior, Vec<String>)>>,
}

impl MailServer {
    /// On any port.
    pub async fn open(mood: Behavior) -> Self {
        Self::listen(reserve_port().0, mood)
    }

    /// On a reserved port.
    pub fn listen(port: TcpSocket, mood: Behavior) -> Self {
        let listener = port.listen(64).unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            state: Arc::new(Mutex::new((mood, Vec::new()))),
        };
        let own = server.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let own = own.clone();
                tokio::spawn(async move { own.serve(socket).await });
            }
        });
        server
    }

    /// Letters so far, as they were sent.
    pub fn emails(&self) -> Vec<String> {
        self.state.lock().unwrap().1.clone()
    }

    /// Takes the next emails differently.
    pub fn turn(&self, mood: Behavior) {
        self.state.lock().unwrap().0 = mood;
    }

    fn mood(&self) -> Behavior {
        self.state.lock().unwrap().0
    }

    /// Stores an email; false if it hangs up.
    fn take(&self, email: String) -> bool {
        let mut state = self.state.lock().unwrap();
        state.1.push(email);
        std::mem::replace(&mut state.0, Behavior::Good) != Behavior::Silent
    }

    async fn serve(&self, socket: TcpStream) -> Option<()> {
        let (read, mut write) = socket.into_split();
        let mut lines = BufReader::new(read).lines();
        write.write_all(b"220 sink ESMTP\r\n").await.ok()?;
        while let Some(line) = lines.next_line().await.ok()? {
            let command = line.split([' ', ':']).next().unwrap_or_default();
            let answer: &[u8] = match command.to_uppercase().as_str() {
                "EHLO" => b"250-sink\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n",
                "AUTH" if self.mood() == Behavior::NoSignIn => b"535 5.7.8 wrong password\r\n",
                "AUTH" => b"235 2.7.0 signed in\r\n",
                "MAIL" if self.mood() == Behavior::ForeignSender => {
                    b"553 5.7.1 <stay@dewy.example>: Sender address rejected: not owned by user\r\n"
                }
                "RCPT" if self.mood() == Behavior::Refusing => b"550 nobody of that name\r\n",
                "DATA" => {
                    write.write_all(b"354 go on\r\n").await.ok()?;
                    let mut email = String::new();
                    loop {
                        let line = lines.next_line().await.ok()??;
                        if line == "." {
                            break;
                        }
                        email.push_str(&line);
                        email.push('\n');
                    }
                    if !self.take(email) {
                        return None;
                    }
                    b"250 taken\r\n"
                }
                "QUIT" => {
                    write.write_all(b"221 bye\r\n").await.ok()?;
                    return Some(());
                }
                _ => b"250 ok\r\n",
            };
            write.write_all(answer).await.ok()?;
        }
        Some(())
    }
}
