import { join } from "node:path";
import { expect, test } from "vitest";
import { allOutcomes, loadSuite } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { startIndependentBank } from "./independent-bank.ts";
import { startProxy, type ProxyHabits } from "./proxy.ts";

const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));

/** The failures at level `document` with a proxy in front of a sound service: of an operation, or a scenario. */
async function failedBehind(habits: ProxyHabits, only = ["AccountService.GetAccount/"], passedMin = 11) {
  const bank = await startIndependentBank("object");
  const proxy = await startProxy(bank.access.baseUrl, habits);
  const { baseUrl: _url, ...access } = bank.access;
  try {
    const run = { ...loaded, access, baseUrl: proxy.baseUrl, level: "document", seed: 1, only } as const;
    const outcomes = allOutcomes(await conform({ ...run, explore: { runs: 0 } }));
    expect(outcomes.filter(({ status }) => status === "passed").length).toBeGreaterThanOrEqual(passedMin);
    return outcomes.flatMap(({ id, status }) => (status === "failed" ? [id] : []));
  } finally {
    await proxy.stop();
    await bank.stop();
  }
}

test.each<readonly [string, ProxyHabits, readonly string[]]>([
  [
    "writes media types in capitals and compresses",
    {
      headers: (headers) => ({ ...headers, "content-type": "APPLICATION/JSON; Charset=UTF-8" }),
      gzip: true,
    },
    [],
  ],
  ["lays out JSON anew", { body: (plain) => Buffer.from(plain.toString().replace(/^\{/, "{\r\n\t")) }, []],
  [
    "begins bodies with a byte order mark",
    { body: (plain) => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), plain]) },
    ["AccountService.GetAccount/answers/byte-order-mark"],
  ],
  [
    "writes bodies in Latin-1",
    {
      body: (plain) =>
        Buffer.from(plain.toString().replaceAll(/"(name|message)":\s*"/g, "$&\u00e9"), "latin1"),
    },
    ["AccountService.GetAccount/answers/utf-8"],
  ],
])("a proxy that %s is blamed once for what it breaks", async (_name, habits, blamed) => {
  expect(await failedBehind(habits)).toEqual(blamed);
});

test.each<readonly [string, string, (text: string) => string]>([
  ["transaction-by-reference", "a transaction's identifier anew at every read", transactionIdsAnew()],
  [
    "account-of-each-type",
    "accounts of another type in lists",
    (text) => (text.includes('"accounts"') ? text.replaceAll("WALLET", "SAVINGS") : text),
  ],
])("%s fails where answers have %s", async (scenario, _what, change) => {
  const only = [`scenario/${scenario}`];
  expect(await failedBehind({}, only, 1)).toEqual([]);
  const habits = { body: (plain: Buffer) => Buffer.from(change(plain.toString())) };
  expect(await failedBehind(habits, only, 0)).toEqual(only);
});

function transactionIdsAnew(): (text: string) => string {
  let count = 0;
  return (text) => text.replace(/"TransactionId":\s*"/, `$&${(count += 1)}`);
}
