//! The benchmarks: `cargo xtask bench NAME`. Each prints its table and one JSON line per result.

mod concierge_latency;
mod engine;
mod mcp;
mod messages;
mod pages;
mod support;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench")]
enum Bench {
    /// Executions per second of seven durable steps, on both stores.
    Engine(engine::Options),
    /// `get_folio` per second over MCP.
    Mcp(mcp::Options),
    /// Cost of a guest's costliest messages; `/staff` with and without them.
    Messages(messages::Options),
    /// Cost of a page; lists of 200,000 executions.
    Pages(pages::Options),
    /// Latency that the concierge adds to its model's first token; 200 open conversations.
    Talk(concierge_latency::Options),
}

fn main() -> anyhow::Result<()> {
    let bench = Bench::parse();
    // The engine is measured inside this process; otherwise this process should use as little of
    // the cores as possible.
    let mut runtime = match bench {
        Bench::Engine(_) => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    runtime.enable_all().build()?.block_on(async {
        match bench {
            Bench::Engine(options) => engine::run(&options).await,
            Bench::Mcp(options) => mcp::run(&options).await,
            Bench::Messages(options) => messages::run(&options).await,
            Bench::Pages(options) => pages::run(&options).await,
            Bench::Talk(options) => concierge_latency::run(&options).await,
        }
    })
}
