// Clients that people use, each against a guest's endpoint: they list the tools, read a folio, write once and once again with the same
// token, and are told what is wrong with a call. The schemas are compiled by a strict validator. node clients.mjs ENDPOINT TOKEN
import assert from "node:assert/strict";
import { createMCPClient } from "@ai-sdk/mcp";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { MCPServerStreamableHttp } from "@openai/agents";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createRuntime } from "mcporter";

const [endpoint, token] = process.argv.slice(2);
const url = new URL(endpoint);
const headers = { Authorization: `Bearer ${token}` };
const who = { name: "dewy-interop", version: "1" };

/** A connected client: names of tools, a call that answers with its result, and an end. */
const ofSdk = async (client, transport) => {
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
};

const CLIENTS = {
  "official SDK 1": () => ofSdk(new Client(who), new StreamableHTTPClientTransport(url, { requestInit: { headers } })),
  "official SDK 2": () => ofSdk(new ModernClient(who), new ModernTransport(url, { requestInit: { headers } })),
  "mcp-remote, over stdio": () => {
    const args = ["node_modules/mcp-remote/dist/proxy.js", endpoint, "--allow-http", "--transport", "http-only", "--header", `Authorization:Bearer ${token}`];
    return ofSdk(new Client(who), new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  },
  "Vercel AI": async () => {
    const client = await createMCPClient({ transport: { type: "http", url: endpoint, headers } });
    const tools = await client.tools();
    return {
      tools: async () => (await client.listTools()).tools,
      call: (name, args) => tools[name].execute(args, { toolCallId: "1", messages: [] }),
      close: () => client.close(),
    };
  },
  LangChain: async () => {
    const client = new MultiServerMCPClient({ mcpServers: { hotel: { transport: "http", url: endpoint, headers } } });
    const tools = await client.getTools();
    const named = (name) => tools.find((tool) => tool.name === name);
    const call = async (name, args) => {
      try {
        const message = await named(name).invoke({ type: "tool_call", id: "1", name, args });
        return { content: [{ type: "text", text: typeof message.content === "string" ? message.content : JSON.stringify(message.content) }] };
      } catch (why) {
        return { isError: true, content: [{ type: "text", text: why.message }] };
      }
    };
    return { tools: async () => tools, call, close: () => client.close() };
  },
  "OpenAI Agents": async () => {
    const server = new MCPServerStreamableHttp({ url: endpoint, requestInit: { headers } });
    await server.connect();
    return { tools: () => server.listTools(), call: (name, args) => server.callToolResult(name, args), close: () => server.close() };
  },
  mcporter: async () => {
    const runtime = await createRuntime({ servers: [{ name: "hotel", command: { kind: "http", url, headers } }] });
    return {
      tools: () => runtime.listTools("hotel", { includeSchema: true }),
      call: (name, args) => runtime.callTool("hotel", name, { args }),
      close: () => runtime.close(),
    };
  },
};

const said = (result) => JSON.stringify(result.content);

async function check(name, connect) {
  const client = await connect();
  try {
    const tools = await client.tools();
    assert.ok(tools.length >= 10, `${tools.length} tools`);
    const folio = await client.call("get_folio", {});
    assert.ok(!folio.isError && said(folio).includes("250.00"), said(folio));
    const wish = { type: "Housekeeping", description: `Towels, asked by ${name}`, idempotency_token: `interop ${name}` };
    const first = await client.call("submit_guest_service_request", wish);
    const again = await client.call("submit_guest_service_request", wish);
    const id = /exe_\w+/.exec(said(first))?.[0];
    assert.ok(id && said(again).includes(id), `${said(first)} ${said(again)}`);
    const wrong = await client.call("submit_guest_service_request", { ...wish, type: "Spa", idempotency_token: `${name} 2` });
    assert.ok(wrong.isError && /type/.test(said(wrong)), said(wrong));
    console.log(`  ${name}: ${tools.length} tools, a read, a write that is done once, a refusal`);
  } finally {
    await client.close();
  }
}

/** Every schema, by a validator that refuses unknown words and types that do not fit. */
async function schemas() {
  const client = await CLIENTS["official SDK 2"]();
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, formats: { email: true, date: true, uri: true, "date-time": true } });
  const tools = await client.tools();
  for (const tool of tools) for (const schema of [tool.inputSchema, tool.outputSchema]) assert.ok(ajv.compile(schema), tool.name);
  await client.close();
  console.log(`  ajv, strict: ${2 * tools.length} schemas`);
}

const failed = [];
for (const [name, work] of [...Object.entries(CLIENTS).map(([name, connect]) => [name, () => check(name, connect)]), ["ajv", schemas]]) {
  try {
    await work();
  } catch (why) {
    failed.push(name);
    console.error(`✗ ${name}: ${why.stack ?? why}`);
  }
}
process.exit(failed.length > 0 ? 1 : 0);
