/**
 * `npm run conform:score`: starts the service once for each fault, runs the conformance suite against it until a case
 * fails, and says how many of the faults the suite catches. Writes score.json and the line of the README.
 *
 * `--only <fault>` and `--layer <layer>` try some of them; nothing is written then. `--all` goes on after the first
 * failure. `--afresh` does not begin with the case that caught a fault the last time.
 *
 * `--merge` puts what `--only` and `--layer` found into the score.
 *
 * `--document` tries only those faults that break what the document itself says, at level `document` and with no more
 * than every caller has: neither an operator nor a folder of mails.
 */
import { parseArgs } from "node:util";
import { inParallel } from "../../conformance/index.ts";
import { breakingDocument } from "./faults/document.ts";
import { faults as allFaults } from "./faults/index.ts";
import { missedWithReason } from "./missed.ts";
import { caughtOf, publishScore, readScore, scoreOf, scoreText, shareMin, type Measured } from "./score.ts";
import { complaints, runSound, tryFault, type Trial } from "./try-fault.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    layer: { type: "string" },
    jobs: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    all: { type: "boolean", default: false },
    afresh: { type: "boolean", default: false },
    document: { type: "boolean", default: false },
    merge: { type: "boolean", default: false },
  },
});
const measured: Measured = values.document ? "document" : "strict";
const options = {
  level: measured,
  callerOnly: values.document,
  seed: Number(values.seed),
  failuresMax: values.all ? Infinity : 1,
} as const;
const faults = values.document ? allFaults.filter(({ id }) => breakingDocument.includes(id)) : allFaults;
const last = values.afresh ? {} : readScore(measured);
const selected = faults.filter(
  ({ id, layer }) =>
    (values.only === undefined || values.only.includes(id)) &&
    (values.layer === undefined || layer === values.layer),
);

const unknown = (values.only ?? []).filter((name) => !faults.some(({ id }) => id === name));
if (unknown.length > 0) throw new Error(`there is no fault called ${unknown.join(" or ")}`);

const wrong = complaints(await runSound({ level: measured, seed: options.seed, operator: !values.document }));
if (wrong.length > 0) throw new Error(`the service without a fault fails:\n  ${wrong.join("\n  ")}`);

const trials: Trial[] = [];
await inParallel(selected, Number(values.jobs), async (fault) => {
  const first = last[fault.id] ?? undefined;
  const trial = await tryFault(fault, { ...options, ...(first === undefined ? {} : { first }) });
  trials.push(trial);
  const seconds = (trial.elapsedMs / 1000).toFixed(1);
  const by = trial.outcome === "caught" ? trial.by.join(" ") : (trial.detail ?? "");
  console.log(`${trials.length}/${selected.length} ${trial.outcome} ${fault.id} (${seconds} s) ${by}`);
});

const score = scoreOf(trials);
console.log(`\n${scoreText(faults, score)}`);
const isWhole = selected.length === faults.length;
if (isWhole) publishScore(faults, score, measured);
else if (values.merge) publishScore(faults, { ...readScore(measured), ...score }, measured);
const unexplained = trials.filter(
  ({ fault, outcome }) => outcome !== "caught" && !(fault in missedWithReason),
);
if (trials.some(({ outcome }) => outcome === "not-started")) process.exitCode = 1;
if (isWhole && (unexplained.length > 0 || caughtOf(faults, score).length < shareMin * faults.length))
  process.exitCode = 1;
