/**
 * `npm run conform:compare`: the same faults, seen by Prism's validation proxy. It is installed into a temporary
 * folder and stands between the suite and each faulty service. It is told for each request whether a result or an
 * error must come. A fault counts as seen if Prism finds a violation that it does not find without the fault.
 * `--every 10` takes each tenth fault.
 */
import { writeFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { conform, inParallel, loadSuite, type Case } from "../../../conformance/index.ts";
import { layers } from "../fault.ts";
import { faults } from "../faults/index.ts";
import { startFaultyServer } from "../faulty-server.ts";
import { readScore } from "../score.ts";
import { installPeer, peer, startPrism, type PrismProxy } from "./prism.ts";
import { outcomes, type Outcome } from "./document.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    every: { type: "string", default: "1" },
    jobs: { type: "string", default: "2" },
  },
});
const { suite, cases } = loadSuite(join(import.meta.dirname, "../../../generated/ledger/conformance"));

/** What goes through Prism: every case that rests on the document alone. */
const traffic = { result: documentedCases("result"), error: documentedCases("error") };

function documentedCases(kind: Outcome): readonly Case[] {
  return cases.filter(
    ({ expect, method, level, request }) =>
      expect.kind === kind &&
      level === "document" &&
      isOfOperation(method) &&
      // Sends a sound request first.
      request.signature?.over !== "earlier",
  );
}

/** What a run asks before its first case, whatever answers: each operation, those that read once more, and nonsense twice. */
const contactRequests =
  suite.methods.length +
  suite.methods.filter(({ effect, transport }) => effect === "read" && transport.kind === "enveloped")
    .length +
  2;

function isOfOperation(method: string): boolean {
  return suite.methods.some(({ name }) => name === method);
}

/** Sends everything through Prism, until it finds something. */
async function seenBy(
  prism: PrismProxy,
  fault: string | undefined,
  isKnown: (violation: string) => boolean,
): Promise<readonly string[]> {
  const server = await startFaultyServer(fault);
  try {
    const { access, mailFolder } = server;
    for (const outcome of outcomes) {
      prism.begin(access.baseUrl ?? "", contactRequests, isKnown);
      await conform({
        suite: { ...suite, scenarios: [] },
        cases: traffic[outcome],
        access,
        baseUrl: prism.baseUrls[outcome],
        mailFolder,
        level: "document",
        seed: 1,
        explore: { runs: 0 },
      }).catch(() => undefined);
      if (prism.violations().length > 0) break;
    }
    return prism.violations();
  } finally {
    await server.stop();
  }
}

const { folder, command } = installPeer();
const proxies = await Promise.all(Array.from({ length: Number(values.jobs) }, () => startPrism(command)));
try {
  const known = await knownViolations();
  const selected = faults.filter(
    ({ id }, index) =>
      index % Number(values.every) === 0 && (values.only === undefined || values.only.includes(id)),
  );
  const free = [...proxies];
  const seen = new Map<string, string | null>();
  await inParallel(selected, proxies.length, async ({ id }) => {
    const prism = free.pop();
    if (prism === undefined) return;
    const startedAt = performance.now();
    const found = await seenBy(prism, id, (violation) => known.has(violation));
    free.push(prism);
    seen.set(id, found[0] ?? null);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${seen.size}/${selected.length} ${id} (${seconds} s): ${found[0] ?? "not seen"}`);
  });
  print(seen);
} finally {
  for (const prism of proxies) await prism.close();
  rmSync(folder, { recursive: true, force: true });
}

/** What Prism says of the service without a fault. */
async function knownViolations(): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const [prism] = proxies;
  if (prism === undefined) return known;
  for (;;) {
    const found = await seenBy(prism, undefined, (violation) => known.has(violation));
    if (found.length === 0) return known;
    for (const violation of found) {
      known.add(violation);
      console.log(`without a fault: ${violation}`);
    }
  }
}

function print(seen: ReadonlyMap<string, string | null>): void {
  const score = readScore("all-strict-operator");
  const rows = layers.flatMap((layer) => {
    const tried = faults.filter((fault) => fault.layer === layer && seen.has(fault.id));
    if (tried.length === 0) return [];
    const bySuite = tried.filter(({ id }) => typeof score[id] === "string").length;
    const byPeer = tried.filter(({ id }) => typeof seen.get(id) === "string").length;
    return [{ layer, faults: tried.length, bySuite, byPeer }];
  });
  const total = (name: "faults" | "bySuite" | "byPeer"): number =>
    rows.reduce((sum, row) => sum + row[name], 0);
  const line = (layer: string, ...cells: readonly unknown[]): string =>
    layer.padEnd(14) + cells.map((cell) => String(cell).padStart(16)).join("");
  console.log(`\n${line("layer", "faults", "this suite", "Prism's proxy")}`);
  for (const { layer, faults: all, bySuite, byPeer } of rows) console.log(line(layer, all, bySuite, byPeer));
  console.log(line("all", total("faults"), total("bySuite"), total("byPeer")));
  if (seen.size === faults.length)
    writeFileSync(
      join(import.meta.dirname, "comparison.json"),
      `${JSON.stringify({ peer, faults: total("faults"), bySuite: total("bySuite"), byPeer: total("byPeer"), rows }, null, 2)}\n`,
    );
}
