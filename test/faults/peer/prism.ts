import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOnSomePort } from "../../some-port.ts";
import { routedDocument, type Outcome } from "./document.ts";

/** The peer, as it is installed: not a dependency of this project. */
export const peer = "@stoplight/prism-cli@5.16.0";

/** Prism's validation proxy, in front of a service that can be changed, and behind addresses that say what is expected. */
export interface PrismProxy {
  /** Where requests of an expected outcome are sent. */
  readonly baseUrls: Readonly<Record<Outcome, string>>;
  /** Begins anew: another service, no violations. The first `passed` requests of each address are not looked at. */
  begin(baseUrl: string, passed: number, isKnown: (violation: string) => boolean): void;
  /** What Prism said is wrong with answers. */
  violations(): readonly string[];
  close(): Promise<void>;
}

/** Installs the peer into a folder of its own. @throws Error with what npm printed */
export function installPeer(): { readonly folder: string; readonly command: string } {
  const folder = mkdtempSync(join(tmpdir(), "peer-"));
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", peer];
  const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${peer} cannot be installed: ${stderr.slice(-400)}`);
  return { folder, command: join(folder, "node_modules/@stoplight/prism-cli/dist/index.js") };
}

/** Starts the peer on three free ports of this machine. */
export async function startPrism(command: string): Promise<PrismProxy> {
  const folder = mkdtempSync(join(tmpdir(), "peer-run-"));
  const document = join(folder, "openapi.json");
  writeFileSync(document, JSON.stringify(routedDocument()));
  let service = "";
  let toPass = 0;
  let known: (violation: string) => boolean = () => false;
  let found = new Set<string>();
  let seen = new Map<Outcome, number>();

  const upstream = await serving(async (incoming, body) => forwarded(`${service}/jsonrpc`, incoming, body));
  const { child, port } = await startOnSomePort(
    (own) =>
      spawn(
        process.execPath,
        [command, "proxy", document, upstream.url, "--port", String(own), "--verboseLevel", "fatal"],
        { stdio: ["ignore", "ignore", "inherit"] },
      ),
    (own) => fetch(`http://127.0.0.1:${own}/`).then(() => true),
  );

  const front = async (outcome: Outcome) =>
    await serving(async (incoming, body) => {
      const count = (seen.get(outcome) ?? 0) + 1;
      seen.set(outcome, count);
      const operation = operationOf(body);
      if (found.size > 0) return { status: 500, headers: {}, body: Buffer.from("{}") };
      if (operation === undefined || count <= toPass || incoming.url !== "/jsonrpc")
        return await forwarded(`${service}${incoming.url}`, incoming, body);
      const answer = await forwarded(`http://127.0.0.1:${port}/${outcome}/${operation}`, incoming, body);
      for (const violation of violationsOf(answer.headers["sl-violations"])) {
        const text = `${outcome} ${operation}: ${violation}`;
        if (!known(text)) found.add(text);
      }
      return answer;
    });
  const fronts = {
    result: await front("result"),
    error: await front("error"),
  };
  return {
    baseUrls: { result: fronts.result.url, error: fronts.error.url },
    begin(baseUrl, passed, isKnown) {
      service = baseUrl;
      toPass = passed;
      known = isKnown;
      found = new Set();
      seen = new Map();
    },
    violations: () => [...found],
    async close() {
      child.kill("SIGKILL");
      for (const { server } of [upstream, ...Object.values(fronts)]) server.closeAllConnections();
      for (const { server } of [upstream, ...Object.values(fronts)]) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

async function serving(
  answer: (incoming: IncomingMessage, body: Buffer) => Promise<Answer>,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      void reply(outgoing, answer(incoming, Buffer.concat(chunks)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${portOf(server)}` };
}

async function reply(outgoing: ServerResponse, answer: Promise<Answer>): Promise<void> {
  try {
    const { status, headers, body } = await answer;
    const { "transfer-encoding": _chunked, connection: _connection, ...rest } = headers;
    outgoing.writeHead(status, { ...rest, "content-length": body.length }).end(body);
  } catch {
    outgoing.destroy();
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Sends a request on as it came. */
async function forwarded(url: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const { host: _host, connection: _connection, ...headers } = incoming.headers;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = request(url, { method: incoming.method ?? "POST", headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", reject);
    response.on("end", () =>
      resolve({
        status: response.statusCode ?? 502,
        headers: response.headers,
        body: Buffer.concat(chunks),
      }),
    );
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return await promise;
}

/** The operation of a request; undefined where no reader of JSON would find one. */
function operationOf(body: Buffer): string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  if ("method" in json) return typeof json.method === "string" ? encodeURIComponent(json.method) : undefined;
  const names = Object.keys(json).map((name) => name.toLowerCase());
  return names.some((name) => ["callbackurl", "events", "groupid"].includes(name))
    ? "CreateSubscription"
    : "GetSource";
}

/** Prism's findings about the answer; those about the request are not the service's fault. */
function violationsOf(header: unknown): readonly string[] {
  if (typeof header !== "string") return [];
  const violations: readonly {
    readonly location: readonly string[];
    readonly code: unknown;
    readonly message: string;
  }[] = JSON.parse(header);
  return violations
    .filter(({ location }) => location[0] === "response")
    .map(({ location, code, message }) => `${location.join("/")} ${String(code)} ${message}`);
}
