//! The command line.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};

/// Dewy Resort: a hotel system on durable sagas.
#[derive(Debug, Parser)]
#[command(
    name = "dewy",
    version,
    about,
    after_help = "All configuration comes from environment variables; .env.example explains each one."
)]
pub struct Cli {
    /// The command; default: serve.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve pages, MCP, and REST, and run background work (the default).
    Serve {
        /// Migrate the store first. Mode demo always does this.
        #[arg(long)]
        migrate: bool,
    },
    /// Serve only the sandbox of Salesforce and Stripe.
    Sandbox(SandboxArgs),
    /// Migrate the store and exit.
    Migrate,
    /// Find orphaned payments once, recover what can be recovered, and exit.
    Sweep,
    /// Take over the payments of an installation whose store is lost, switch to another Stripe
    /// account, or accept a new key file.
    ///
    /// The sweep finishes or refunds what an adopted installation left behind. Only adopt an
    /// installation that no longer runs: two installations that act on the same payments refund
    /// each other's. Another Stripe account can be adopted once nothing is unfinished on the
    /// previous one. A new key file is needed only if the store's own is lost.
    Adopt {
        /// The ID of an installation, as shown by `dewy sweep` and the staff compensations page
        /// (ins_…), or of a Stripe account (acct_…); or the word key.
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Test each configured connection and exit; fails if any of them fails.
    Check,
    /// Replay an execution's evidence through the engine; fails at the first event that differs.
    Replay {
        /// Evidence as JSON, saved from the execution's page.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Bearer tokens for MCP and REST clients.
    #[command(subcommand)]
    Token(TokenCommand),
    /// The audit trail.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Guest data.
    #[command(subcommand)]
    Guest(GuestCommand),
    /// Staff accounts.
    #[command(subcommand)]
    Staff(StaffCommand),
}

/// Arguments of `dewy sandbox`.
#[derive(Debug, Args)]
pub struct SandboxArgs {
    /// Loopback address to listen on.
    #[arg(long, default_value = "127.0.0.1:4010")]
    pub addr: SocketAddr,
    /// Database file; created if missing.
    #[arg(long, default_value = "data/sandbox.db")]
    pub data: PathBuf,
}

/// Subcommands of `dewy token`.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Create a token and print only the token.
    Create(TokenArgs),
    /// List all tokens, including expired and revoked ones.
    List,
    /// Revoke a token immediately.
    Revoke {
        /// The token's ID, as listed: tok_…
        id: String,
    },
}

/// Subcommands of `dewy audit`.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Recompute every hash chain: executions, calls, checkpoints. Fails if one is inconsistent,
    /// naming the first bad row.
    Verify,
}

/// Subcommands of `dewy guest`.
#[derive(Debug, Subcommand)]
pub enum GuestCommand {
    /// Erase a guest on request: conversations, notes about stays, the name in the audit log,
    /// sessions, tokens.
    Erase(EraseArgs),
}

/// Arguments of `dewy guest erase`.
#[derive(Debug, Args)]
pub struct EraseArgs {
    /// The guest's email.
    pub email: String,
    /// A booking of the guest whose notes are erased too; can be given several times. The CRM shows
    /// which bookings are theirs.
    #[arg(long = "booking", value_name = "BK-…")]
    pub bookings: Vec<String>,
}

/// Arguments of `dewy token create`.
#[derive(Debug, Args)]
pub struct TokenArgs {
    /// The owner.
    #[command(flatten)]
    pub whom: TokenOwner,
    /// Name, such as its purpose.
    #[arg(long, default_value = "command line")]
    pub name: String,
    /// For staff: the role to act in; never more than the account's own.
    #[arg(long)]
    pub role: Option<String>,
    /// Allow only tools that read.
    #[arg(long)]
    pub read_only: bool,
    /// Days until it expires.
    #[arg(long, visible_alias = "days", value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u64).range(1..=3650))]
    pub expires: u64,
}

/// A token's owner: a guest or a staff account.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct TokenOwner {
    /// The guest's email.
    #[arg(long, value_name = "EMAIL")]
    pub guest: Option<String>,
    /// The staff account's email; its role determines what the token may do.
    #[arg(long, value_name = "EMAIL")]
    pub staff: Option<String>,
}

/// Subcommands of `dewy staff`.
#[derive(Debug, Subcommand)]
pub enum StaffCommand {
    /// Create an account, or give one a new role and password. Prints the generated password.
    Add(StaffAddArgs),
    /// Disable an account immediately, including its sessions and tokens.
    Disable {
        /// The account's email.
        email: String,
    },
}

/// Arguments of `dewy staff add`.
#[derive(Debug, Args)]
pub struct StaffAddArgs {
    /// The account's email.
    pub email: String,
    /// One of front_desk, housekeeping, maintenance, manager.
    #[arg(long)]
    pub role: String,
    /// Read the password from standard input instead of generating one.
    #[arg(long)]
    pub password_stdin: bool,
}
