// nginx in front of a hotel, with the configuration that operators are given (server/examples/nginx.conf): only addresses, ports and
// the certificate are others.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Its own range: what reaches the hotel from 127.0.0.1 comes through the proxy. */
export const PROXY_ADDRESS = "127.8.0.1";
export const PROXY_NAME = "hotel.example";

/** nginx, which is often not on the PATH of a user. */
export const nginx = [...(process.env.PATH ?? "").split(":"), "/usr/sbin"].map((folder) => join(folder, "nginx")).find(existsSync);

export type Ports = { hotel: number; http: number; https: number };

/** What the hotel is told about its proxy. */
export const behindProxy = ({ https }: Ports) => ({ PUBLIC_URL: `https://${PROXY_NAME}:${https}`, TRUSTED_PROXIES: "127.0.0.1/32" });

/** Starts it; ends with SIGTERM. */
export function startProxy(folder: string, { hotel, http, https }: Ports): ChildProcess {
  if (!nginx) throw new Error("nginx is not installed: apt-get install nginx-light");
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const order = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${PROXY_NAME}`;
  const names = ["-addext", `subjectAltName=DNS:${PROXY_NAME}`, "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...order.split(" "), ...names], { stdio: "ignore" });
  let site = readFileSync(new URL("../server/examples/nginx.conf", import.meta.url), "utf8");
  const changes = [
    ["listen 80;", `listen ${PROXY_ADDRESS}:${http};`],
    ["listen 443 ", `listen ${PROXY_ADDRESS}:${https} `],
    ["127.0.0.1:3000", `127.0.0.1:${hotel}`],
    ["/etc/ssl/hotel.example/fullchain.pem", certificate],
    ["/etc/ssl/hotel.example/privkey.pem", key],
  ] as const;
  for (const [theirs, ours] of changes) {
    if (site.split(theirs).length !== 2) throw new Error(`server/examples/nginx.conf has not one "${theirs}"`);
    site = site.replace(theirs, ours);
  }
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${join(folder, "nginx", name)};`);
  mkdirSync(join(folder, "nginx"));
  const root = process.getuid?.() === 0 ? "user root;" : "";
  const all = `${root} daemon off; pid ${join(folder, "nginx.pid")}; error_log ${join(folder, "nginx.log")}; worker_processes 1;
events {}
http { access_log off; ${temporary.join(" ")}
${site} }`;
  writeFileSync(join(folder, "nginx.conf"), all);
  const log = openSync(join(folder, "nginx.out"), "w");
  return spawn(nginx, ["-c", join(folder, "nginx.conf"), "-e", join(folder, "nginx.log")], { stdio: ["ignore", log, log] });
}
