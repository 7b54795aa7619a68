/**
 * What a signed call costs beside signing alone: CPU time of the process, interleaved, by a `fetch` that answers at once
 * with a plain object (the client's share) and with a `Response`. `node bench/client-cpu.ts [rounds]`.
 */
import { LedgerClient } from "../generated/ledger/client/index.ts";

const calls = 2000;
const rounds = Number(process.argv[2] ?? 7);
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const { privateKey } = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
const bytes = new TextEncoder().encode('{"ID":"900000000000106"}');
const headers = new Headers();

const answerTo = (body: unknown) =>
  `{"id":${JSON.stringify(JSON.parse(String(body)).id)},"result":{"account":{"id":"1","balance":1250.00}}}`;
const clientOf = (respond: (text: string) => Pick<Response, "status" | "headers" | "text">) =>
  new LedgerClient({
    baseUrl: "https://bank.example",
    credential: { userName: "u", apiKey: "k" },
    signer: { keyId: "k", privateKey },
    fetch: async (_url, { body }) => respond(answerTo(body)),
  });
const plain = clientOf((text) => ({ status: 200, headers, text: async () => text }));
const full = clientOf((text) => new Response(text));

async function cpuMicros(action: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < calls; at += 1) await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const ratios: { readonly plain: number; readonly full: number }[] = [];
for (let round = 0; round <= rounds; round += 1) {
  const signing = await cpuMicros(() => crypto.subtle.sign(algorithm, privateKey, bytes));
  const own = await cpuMicros(() => plain.account.get({ ID: "900000000000106" }));
  const whole = await cpuMicros(() => full.account.get({ ID: "900000000000106" }));
  if (round > 0) ratios.push({ plain: own / signing, full: whole / signing });
}
for (const kind of ["plain", "full"] as const) {
  const sorted = ratios.map((ratio) => ratio[kind]).toSorted((a, b) => a - b);
  const [least, middle, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  const name = kind === "plain" ? "a fetch that answers at once" : "one that makes a Response";
  console.log(`call ÷ signing, ${name}: ${middle?.toFixed(2)} (${least?.toFixed(2)} to ${most?.toFixed(2)})`);
}
