/**
 * A process of its own for `bench/parts/client.ts`: CPU time of a signed call and of signing alone, all threads, in
 * turns. `fetch` answers at once with a plain object that has the request's id, so no transport is in the figure.
 * Over a socket, it is the global `fetch` with a service in a process of its own. Prints JSON.
 */
import { fork } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { LedgerClient } from "../../generated/ledger/client/index.ts";

/** Microseconds a run, a list of rounds each. */
export interface ClientCpu {
  readonly atOnce: Readonly<Record<string, readonly number[]>>;
  readonly socket: Readonly<Record<string, readonly number[]>>;
}

export const names = {
  webCrypto: "signing alone, WebCrypto",
  nodeCrypto: "signing alone, node:crypto",
  floor: "WebCrypto, fetch, JSON",
  nodeFloor: "node:crypto, fetch, JSON",
  byHand: "WebCrypto, and by hand what a call needs",
  pem: "ledger-client, key as PEM",
  kept: "ledger-client, key that may not be extracted",
} as const;

type Fetch = (url: string, init: RequestInit) => Promise<Pick<Response, "status" | "headers" | "text">>;

const attemptMs = 15_000;
const account = '"result":{"account":{"id":"1","balance":1250.00}}}';
/** The service's work is no part of a call: an id is copied as it stands, not parsed. */
const answerTo = (body: string) => `{${/"id":"[^"]*"/.exec(body)?.[0]},${account}`;

if (process.argv[2] === "serve") serve();
else if (process.argv[1] === import.meta.filename) await measure(Number(process.argv[2] ?? 7));

/** The service on a socket: answers every call at once, and tells the parent its port. */
function serve(): void {
  const server = createServer(async (request, response) => response.end(answerTo(await text(request))));
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
  process.once("disconnect", () => process.exit());
}

async function measure(rounds: number): Promise<void> {
  const service = fork(import.meta.filename, ["serve"]);
  const [{ port }] = await once(service, "message");
  const headers = new Headers();
  const atOnce = await contestants("http://127.0.0.1:1", async (_, { body }) => ({
    status: 200,
    headers,
    text: async () => answerTo(String(body)),
  }));
  const all = await contestants(`http://127.0.0.1:${port}`, fetch);
  const { [names.nodeFloor]: nodeFloor, [names.pem]: pem } = all;
  const socket = { [names.nodeFloor]: nodeFloor, [names.pem]: pem };
  const found: ClientCpu = {
    atOnce: await contest(atOnce, 2000, rounds),
    socket: await contest(socket, 500, rounds),
  };
  service.disconnect();
  console.log(JSON.stringify(found));
}

/** The contestants: signing, the least that a call can be, and calls of clients with the one and the other key. */
async function contestants(baseUrl: string, own: Fetch) {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const der = pair.privateKey.export({ type: "pkcs8", format: "der" });
  const kept = await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  const payload = { ID: "900000000000106" };
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  const byWeb = async () => await crypto.subtle.sign(algorithm, kept, bytes);
  const byNode = () => sign("sha256", bytes, pair.privateKey);
  const bare = async (signature: string) => {
    const body = JSON.stringify({ id: crypto.randomUUID(), params: { signature } });
    const response = await own(`${baseUrl}/jsonrpc`, { method: "POST", body });
    return JSON.parse(await response.text());
  };
  const byHand = async () => {
    const id = crypto.randomUUID();
    const signature = Buffer.from(await byWeb()).toString("base64");
    const api = { signature, keyId: "k", credential: "Basic dTpr" };
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), attemptMs);
    const response = await own(`${baseUrl}/jsonrpc`, {
      method: "POST",
      redirect: "manual",
      signal: controller.signal,
      body: JSON.stringify({ method: "AccountService.GetAccount", id, params: { api, payload } }),
      headers: { "content-type": "application/json", "x-interface-revision": "1.0.11" },
    });
    const envelope = JSON.parse(await response.text());
    clearTimeout(timer);
    if (envelope.id !== id) throw new Error("an answer to another request");
    return envelope.result;
  };
  const clientWith = (privateKey: string | typeof kept) => {
    const credential = { userName: "u", apiKey: "k" };
    const client = new LedgerClient({ baseUrl, credential, signer: { keyId: "k", privateKey }, fetch: own });
    return () => client.account.get(payload);
  };
  return {
    [names.webCrypto]: byWeb,
    [names.nodeCrypto]: byNode,
    [names.floor]: async () => bare(Buffer.from(await byWeb()).toString("base64")),
    [names.nodeFloor]: async () => bare(byNode().toString("base64")),
    [names.byHand]: byHand,
    [names.pem]: clientWith(pem),
    [names.kept]: clientWith(kept),
  };
}

async function contest(
  actions: Readonly<Record<string, () => unknown>>,
  calls: number,
  rounds: number,
): Promise<Record<string, readonly number[]>> {
  const found = Object.entries(actions).map(([name, action]) => ({ name, action, values: [0].slice(1) }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { action, values } of found) {
      const micros = await cpuMicros(calls, action);
      // The first round warms up.
      if (round > 0) values.push(micros);
    }
  }
  return Object.fromEntries(found.map(({ name, values }) => [name, values]));
}

async function cpuMicros(calls: number, action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
