//! The commands, as typed.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};

/// Dewy Resort: a hotel whose check-out survives anything.
#[derive(Debug, Parser)]
#[command(
    name = "dewy",
    version,
    about,
    after_help = "Everything is configured by environment variables; .env.example explains each."
)]
pub struct Cli {
    /// What to do; without one: serve.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve pages, MCP and background work (the default).
    Serve {
        /// Bring the store up to date first. In mode demo this is always done.
        #[arg(long)]
        migrate: bool,
    },
    /// Serve only the look-alikes of Salesforce and Stripe.
    Sandbox(SandboxArgs),
    /// Bring the store up to date, and end.
    Migrate,
    /// Recheck once for payments that nobody finished, put right what can be, and end.
    Sweep,
    /// Take over the payments of an installation whose store is lost, or use another Stripe account
    /// from now on.
    ///
    /// The sweep finishes or refunds what an adopted installation left. Only ever adopt one that
    /// does not run any more: two that act on the same payments refund each other's. Another Stripe
    /// account is adopted when nothing is unfinished on the one before.
    Adopt {
        /// An installation's id, as `dewy sweep` and the staff's compensations page show it
        /// (ins_…), or a Stripe account's (acct_…).
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Test each configured connection, and end; fails when one does.
    Check,
    /// Bearer tokens for MCP and REST clients.
    #[command(subcommand)]
    Token(TokenCommand),
    /// The audit trail.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// What is kept about guests.
    #[command(subcommand)]
    Guest(GuestCommand),
    /// Staff accounts.
    #[command(subcommand)]
    Staff(StaffCommand),
}

/// `dewy sandbox`.
#[derive(Debug, Args)]
pub struct SandboxArgs {
    /// Loopback address to listen on.
    #[arg(long, default_value = "127.0.0.1:4010")]
    pub addr: SocketAddr,
    /// Its file; made when missing.
    #[arg(long, default_value = "data/sandbox.db")]
    pub data: PathBuf,
}

/// `dewy token`.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a token and print it, and nothing else.
    Create(TokenArgs),
    /// List all tokens, those that are worth nothing any more as well.
    List,
    /// Make a token worthless at once.
    Revoke {
        /// Its id, as listed: tok_…
        id: String,
    },
}

/// `dewy audit`.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Compute every chain again: executions, calls, anchors. Fails, naming the first row that does
    /// not fit.
    Verify,
}

/// `dewy guest`.
#[derive(Debug, Subcommand)]
pub enum GuestCommand {
    /// Forget a guest who asks for it: conversations, notes about stays, the name in the record of
    /// calls, sessions, tokens.
    Erase(EraseArgs),
}

/// `dewy guest erase`.
#[derive(Debug, Args)]
pub struct EraseArgs {
    /// Whom.
    pub email: String,
    /// A booking of theirs whose notes go too; may be given several times. The CRM knows which are
    /// theirs.
    #[arg(long = "booking", value_name = "BK-…")]
    pub bookings: Vec<String>,
}

/// `dewy token create`.
#[derive(Debug, Args)]
pub struct TokenArgs {
    /// Whom it stands for.
    #[command(flatten)]
    pub whom: Whom,
    /// What it is for.
    #[arg(long, default_value = "command line")]
    pub name: String,
    /// Of staff: act in this role; never more than the account's own.
    #[arg(long)]
    pub role: Option<String>,
    /// Only tools that read.
    #[arg(long)]
    pub read_only: bool,
    /// For how many days it is good.
    #[arg(long, visible_alias = "days", value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u64).range(1..=3650))]
    pub expires: u64,
}

/// A guest or somebody who works here.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Whom {
    /// A guest's email.
    #[arg(long, value_name = "EMAIL")]
    pub guest: Option<String>,
    /// A staff account's email; its role decides what the token may do.
    #[arg(long, value_name = "EMAIL")]
    pub staff: Option<String>,
}

/// `dewy staff`.
#[derive(Debug, Subcommand)]
pub enum StaffCommand {
    /// Make an account, or give one a new role and password. Prints the password it made.
    Add(StaffAddArgs),
    /// Shut an account out at once: its sessions and tokens too.
    Disable {
        /// Whose.
        email: String,
    },
}

/// `dewy staff add`.
#[derive(Debug, Args)]
pub struct StaffAddArgs {
    /// Whose.
    pub email: String,
    /// front_desk, housekeeping, maintenance or manager.
    #[arg(long)]
    pub role: String,
    /// Read the password from the standard input instead of making one.
    #[arg(long)]
    pub password_stdin: bool,
}
