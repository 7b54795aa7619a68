/**
 * CPU time of a signed call, as a multiple of signing alone: one `crypto.subtle.sign`, which Node does on a thread of its
 * pool; its CPU time is in both. Beside it a floor of the same run: signing, one `fetch`, and printing and parsing JSON.
 * All are interleaved, in one process. `node bench/client-cpu.ts [rounds]` prints medians, least and most:
 *
 * - at once: by a `fetch` that answers at once with a plain object, and takes of the request only its id. No transport is
 *   in the figure: what is above its floor is the client's own work.
 * - 16 at once: the same, with sixteen calls under way.
 * - response: by one that makes a `Response`.
 * - socket: by the global `fetch` and a service on 127.0.0.1, in a process of its own.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { LedgerClient } from "../generated/ledger/client/index.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Pick<Response, "status" | "headers" | "text">>;

const account = '"result":{"account":{"id":"1","balance":1250.00}}}';
/** The service's work is no part of a call: an id is copied as it stands, not parsed. */
const answerTo = (body: string) => `{${/"id":"[^"]*"/.exec(body)?.[0]},${account}`;

if (process.argv[2] === "serve") serve();
else await measure(Number(process.argv[2] ?? 7));

/** The service on a socket: answers every call at once, and tells the parent its port. */
function serve(): void {
  const server = createServer(async (request, response) => response.end(answerTo(await text(request))));
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
  process.once("disconnect", () => process.exit());
}

async function measure(rounds: number): Promise<void> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
  const service = fork(import.meta.filename, ["serve"]);
  const [{ port }] = await once(service, "message");
  const baseUrl = `http://127.0.0.1:${port}`;
  const bytes = new TextEncoder().encode('{"ID":"900000000000106"}');
  const headers = new Headers();
  const sign = async () => await crypto.subtle.sign(algorithm, privateKey, bytes);

  const kinds: readonly (readonly [name: string, calls: number, lanes: number, fetch: Fetch])[] = [
    ["at once", 2000, 1, async (_, { body }) => plain(answerTo(String(body)), headers)],
    ["16 at once", 2000, 16, async (_, { body }) => plain(answerTo(String(body)), headers)],
    ["response", 2000, 1, async (_, { body }) => new Response(answerTo(String(body)))],
    ["socket", 500, 1, fetch],
  ];
  for (const [name, calls, lanes, own] of kinds) {
    const credential = { userName: "u", apiKey: "k" };
    const signer = { keyId: "k", privateKey };
    const client = new LedgerClient({ baseUrl, credential, signer, fetch: own });
    const bare = async () => {
      const signature = Buffer.from(await sign()).toString("base64");
      const body = JSON.stringify({ id: crypto.randomUUID(), params: { signature } });
      const response = await own(`${baseUrl}/jsonrpc`, { method: "POST", body });
      return JSON.parse(await response.text());
    };
    const found: { readonly floor: number; readonly call: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const signing = await cpuMicros(calls, lanes, sign);
      const floor = await cpuMicros(calls, lanes, bare);
      const call = await cpuMicros(calls, lanes, () => client.account.get({ ID: "900000000000106" }));
      if (round > 0) found.push({ floor: floor / signing, call: call / signing });
    }
    const of = (pick: (one: (typeof found)[number]) => number) => spread(found.map(pick));
    console.log(
      `${name.padEnd(10)} call ÷ signing ${of(({ call }) => call)}, floor ÷ signing ${of(({ floor }) => floor)}, ` +
        `call ÷ floor ${of(({ call, floor }) => call / floor)}`,
    );
  }
  service.disconnect();
}

function plain(body: string, headers: Headers) {
  return { status: 200, headers, text: async () => body };
}

async function cpuMicros(calls: number, lanes: number, action: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  let left = calls;
  const lane = async () => {
    while (left-- > 0) await action();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [least = 0, middle = 0, most = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}
