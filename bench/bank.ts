/**
 * A synthetic bank, the same for the same seed, in a new database of either engine:
 *
 *     node bench/bank.ts --to sqlite:<file>|postgres://<superuser>@…/<empty database> [--accounts 100000]
 *       [--postings 1000000] [--seed 1]
 *
 * Prints how far it is and how many rows it writes a second. Postings are chained and balance, and all has its audit
 * entry: `ledger-server verify` finds the bank sound.
 */
import { generateKeyPairSync } from "node:crypto";
import { commandLine, refuse } from "./harness/command-line.ts";
import { buildBank } from "./accounts/build.ts";

const { values } = commandLine(import.meta.filename, {
  options: {
    to: { type: "string" },
    accounts: { type: "string", default: "100000" },
    postings: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
  },
});
if (values.to === undefined) refuse("--to is missing: sqlite:<file> or postgres://…/<empty database>");
const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const plan = {
  accounts: Number(values.accounts),
  postings: Number(values.postings),
  seed: Number(values.seed),
  publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  apiKey: "00112233445566778899aabbccddeeff",
};
const begunAtMs = performance.now();
await buildBank(values.to, plan, (line) =>
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`),
);
const seconds = (performance.now() - begunAtMs) / 1_000;
const rows = plan.accounts + plan.postings * 1.5;
console.log(
  `${plan.accounts} accounts and ${plan.postings} postings in ${seconds.toFixed(0)} s, ` +
    `${Math.round(rows / seconds)} rows/s`,
);
