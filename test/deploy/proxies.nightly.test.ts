import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startOnSomePort } from "../some-port.ts";

/** The examples of deploy/proxy in front of two upstreams: only ports, certificates and folders are other ones. */
const examples = join(import.meta.dirname, "../../deploy/proxy");
const proxies: Readonly<Record<string, (setup: Setup) => readonly string[]>> = { nginx, caddy };

interface Setup {
  readonly folder: string;
  readonly port: number;
  readonly upstreams: readonly number[];
}

function nginx({ folder, port, upstreams }: Setup): readonly string[] {
  const subject = [
    "-subj",
    "/CN=localhost",
    "-keyout",
    `${folder}/key.pem`,
    "-out",
    `${folder}/fullchain.pem`,
  ];
  const options = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", ...options, ...subject], { stdio: "ignore" });
  const text = readFileSync(join(examples, "nginx.conf"), "utf8")
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    // What nginx before 1.25 lacks.
    .replace("http2 on;", "")
    .replace("server 127.0.0.1:8080;", upstreams.map((each) => `server 127.0.0.1:${each};`).join(" "))
    .replaceAll("/etc/ssl/ledger/", `${folder}/`);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(" ")} ${text} }`,
  );
  return ["nginx", "-p", folder, "-c", join(folder, "nginx.conf")];
}

function caddy({ folder, port, upstreams }: Setup): readonly string[] {
  const text = readFileSync(join(examples, "Caddyfile"), "utf8")
    .replace("{$LEDGER_DOMAIN:localhost}", `https://localhost:${port}`)
    .replaceAll("{$LEDGER_UPSTREAMS:127.0.0.1:8080}", upstreams.map((each) => `127.0.0.1:${each}`).join(" "));
  const options = "{\nadmin off\nskip_install_trust\nauto_https disable_redirects\n}\n";
  writeFileSync(join(folder, "Caddyfile"), options + text);
  return ["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
}

for (const [name, configure] of Object.entries(proxies)) {
  const isThere = spawnSync(name, [name === "nginx" ? "-v" : "version"]).status === 0;

  test.runIf(isThere)(`${name} passes answers on, hides the rest, and bounds bodies`, async () => {
    const upstream = await startUpstream((incoming, response) => {
      incoming.resume().on("end", () => {
        const isUnavailable = incoming.headers["x-try"] === "unavailable";
        response.writeHead(isUnavailable ? 503 : 200, isUnavailable ? { "Retry-After": "7" } : {}).end("{}");
      });
    });
    const ask = await startProxy(configure, [upstream.port]);
    expect((await ask("/jsonrpc")).status).toBe(200);
    expect(await ask("/jsonrpc", { headers: { "x-try": "unavailable" } })).toEqual({
      status: 503,
      retryAfter: "7",
    });
    expect((await ask("/.well-known/jwks.json")).status).toBe(200);
    for (const path of ["/metrics", "/readyz", "/healthz", "/"])
      expect((await ask(path)).status, path).toBe(404);
    // Caddy 2.6 says 502 of a body that it has cut.
    const { status } = await ask("/jsonrpc", { body: "x".repeat(1_100_000) });
    expect(name === "caddy" ? [413, 502] : [413]).toContain(status);
  });

  // Caddy before 2.11.2 loses the body when it tries again.
  const triesAgain = name === "nginx" || isCaddyFrom("2.11.2");
  test.runIf(isThere && triesAgain)(
    `${name} goes to the other process where one takes no connection`,
    async () => {
      const answer: RequestListener = (incoming, response) => {
        incoming.resume().on("end", () => response.end("{}"));
      };
      const [ending, staying] = [await startUpstream(answer), await startUpstream(answer)];
      const ask = await startProxy(configure, [ending.port, staying.port]);
      expect((await ask("/jsonrpc")).status).toBe(200);
      ending.close();
      const asked = await Promise.all(Array.from({ length: 40 }, () => ask("/jsonrpc")));
      expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
    },
  );

  test.runIf(isThere)(`${name} sends no request twice that a process may have begun`, async () => {
    const sent: string[] = [];
    const cut: RequestListener = (incoming, response) => {
      if (incoming.url === "/readyz") return void response.end();
      incoming.resume().on("end", () => {
        sent.push(String(incoming.headers["x-try"]));
        incoming.socket.destroy();
      });
    };
    const upstreams = [await startUpstream(cut), await startUpstream(cut)];
    const ask = await startProxy(
      configure,
      upstreams.map(({ port }) => port),
    );
    sent.length = 0;
    expect((await ask("/jsonrpc", { headers: { "x-try": "once" } })).status).toBeGreaterThan(499);
    expect(sent).toEqual(["once"]);
  });
}

function isCaddyFrom(version: string): boolean {
  const { stdout } = spawnSync("caddy", ["version"], { encoding: "utf8" });
  const found = /\d+\.\d+\.\d+/.exec(stdout ?? "")?.[0] ?? "0.0.0";
  return found.localeCompare(version, "en", { numeric: true }) >= 0;
}

interface Upstream {
  readonly port: number;
  close(): void;
}

async function startUpstream(listener: RequestListener): Promise<Upstream> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  return { port, close };
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
type Ask = (
  path: string,
  sent?: Sent,
) => Promise<{ readonly status: number; readonly retryAfter: string | undefined }>;

async function startProxy(
  configure: (setup: Setup) => readonly string[],
  upstreams: readonly number[],
): Promise<Ask> {
  const folder = mkdtempSync(join(tmpdir(), "ledger-proxy-"));
  mkdirSync(join(folder, "data"));
  const started = await startOnSomePort(
    (port) => {
      const [command = "", ...args] = configure({ folder, port, upstreams });
      const env = { ...process.env, XDG_DATA_HOME: join(folder, "data"), XDG_CONFIG_HOME: folder };
      return spawn(command, args, { env, stdio: "ignore" });
    },
    async (port) => (await askAt(port, "/not-there")).status === 404,
  );
  onTestFinished(async () => {
    const ended = once(started.child, "exit");
    if (started.child.exitCode === null && started.child.kill("SIGTERM")) await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return (path, sent) => askAt(started.port, path, sent);
}

function askAt(port: number, path: string, { headers = {}, body = "{}" }: Sent = {}): ReturnType<Ask> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      servername: "localhost",
      port,
      path,
      method: "POST",
      rejectUnauthorized: false,
    };
    const sending = request(
      { ...options, agent: false, headers: { Host: "localhost", ...headers } },
      (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] });
      },
    );
    sending.on("error", reject).end(body);
  });
}
