import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { operatorInterface } from "../../generated/operator/methods.ts";
import { webhooks } from "../../generated/ledger/client/webhooks.ts";
import { retryDelaysMs } from "../../runtime/events/model/retry-schedule.ts";
import { startReceiver } from "../e2e/receiver.ts";
import { openHarness, secret, startMs } from "./delivery-harness.ts";

const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/events.md"), "utf8");
/** The words in code type of each row of the table under a heading. */
const tableUnder = (heading: string): readonly string[] => {
  const section = guide.slice(guide.indexOf(`\n## ${heading}`)).split(/\n##+ /)[1] ?? "";
  return [...section.matchAll(/^\|.*$/gm)].map(([row]) => row);
};
const coded = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

test("the guide's schedule is the one that deliveries follow", () => {
  const unitMs = { s: 1_000, min: 60_000, h: 3_600_000 };
  const delays = [...guide.matchAll(/\| (\d+) +\| ([\d.]+ (?:s|min|h)|at once) +(?=\|)/g)].map(
    ([, attempt, delay = ""]) => {
      const [amount = "0", unit = "s"] = delay.split(" ");
      const isUnit = unit === "s" || unit === "min" || unit === "h";
      return [Number(attempt), delay === "at once" || !isUnit ? 0 : Number(amount) * unitMs[unit]] as const;
    },
  );
  expect(delays.toSorted(([a], [b]) => a - b)).toEqual([
    [1, 0],
    ...retryDelaysMs.map((delayMs, index) => [index + 2, delayMs]),
  ]);
});

test("the operations that the guide names are there", () => {
  const named = tableUnder("Operating").flatMap((row) => coded(row.split("|")[2] ?? ""));
  const known = new Set(Object.keys(operatorInterface.methods));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("what the guide verifies notifications with verifies one", async () => {
  const receiver = await startReceiver();
  const harness = await openHarness();
  await harness.subscribe(receiver.url);
  await harness.publish();
  const [sent] = await receiver.until(1);
  const keys = await harness.delivery.keys.keySet();
  await harness.close();
  await receiver.close();
  if (sent === undefined) throw new Error("nothing arrived");
  const now = Date.now;
  Date.now = () => startMs;
  try {
    expect(new Webhook(secret).verify(sent.body, { ...sent.headers })).toEqual(sent.json);
    const fetch = async () => Response.json(keys);
    const byClient = webhooks({ secret, jwksUrl: "https://ledger.example/.well-known/jwks.json", fetch });
    expect(await byClient.verify(sent.body, sent.headers)).toEqual(sent.json);
  } finally {
    Date.now = now;
  }
});
