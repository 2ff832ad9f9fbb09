// The conformance suite cannot send a token: this stands before one endpoint on loopback and adds it.
// node bearer.mjs ENDPOINT TOKEN prints the address to use, and goes when its standard input ends.
import http from "node:http";

const [, , endpoint, token] = process.argv;
const goal = new URL(endpoint);

const server = http.createServer((asked, answer) => {
  // The Host stays as it was sent: that it is checked is one of the things to prove
  const headers = { ...asked.headers, authorization: `Bearer ${token}` };
  const onward = http.request({ host: goal.hostname, port: goal.port, path: asked.url, method: asked.method, headers });
  onward.on("response", (back) => {
    answer.writeHead(back.statusCode ?? 502, back.rawHeaders);
    answer.flushHeaders();
    back.pipe(answer);
    back.on("error", () => answer.destroy());
  });
  onward.on("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  // Whoever hangs up here hangs up there
  answer.on("close", () => onward.destroy());
  asked.pipe(onward);
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  console.log(`http://127.0.0.1:${port}${goal.pathname}`);
});
process.stdin.resume().on("end", () => process.exit(0));
