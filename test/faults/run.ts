/**
 * `npm run conform:score`: starts the service once for each fault, runs the conformance suite against it until a case
 * fails, and prints how many of the faults the suite catches: at each level, with an operator and the folder of mails
 * (`all-strict-operator`) and without either (`all-strict-alone`), and of the faults that break the document itself at
 * level `document` without either (`document`). Beside these scores after tuning it prints those before tuning.
 * Writes scores/*.json and the lines of README.md and docs/conformance.md.
 *
 * `--measure <score>` computes one of them, `--document` is short for `--measure document`. An interrupted run goes on
 * with `--resume` where it stopped, as long as the suite is the same, and the commit. `--most 100` stops after so many faults of a score.
 *
 * `--infer` tries no fault again that the committed score at a higher level, under the same conditions, says was missed:
 * a lower level sends no other requests, and fewer findings count. The score has a commit where that one has the same.
 *
 * `--only <fault>` and `--layer <layer>` try some of the faults; nothing is written then, unless `--merge` puts what was
 * found into the score. `--all` goes on after the first failure. `--afresh` does not begin with the case that caught a
 * fault the last time.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { inParallel } from "../../conformance/index.ts";
import type { Fault } from "./fault.ts";
import { breakingDocument } from "./faults/document.ts";
import { faults as allFaults } from "./faults/index.ts";
import { firstContactText } from "./first-contact.ts";
import { missedByCallerAlone, missedWithReason } from "./missed.ts";
import {
  caughtOf,
  commitHere,
  conditionsOf,
  isOfSameCommit,
  measurements,
  missedAbove,
  ofDocument,
  publishScore,
  readScore,
  scoreOf,
  scoreText,
  shareMin,
  type Measured,
} from "./score.ts";
import { complaints, runSound, suiteDigest, tryFault, type Trial } from "./try-fault.ts";

const { values } = parseArgs({
  options: {
    measure: { type: "string", multiple: true },
    document: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    layer: { type: "string" },
    jobs: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    all: { type: "boolean", default: false },
    afresh: { type: "boolean", default: false },
    merge: { type: "boolean", default: false },
    resume: { type: "boolean", default: false },
    most: { type: "string", default: "Infinity" },
    infer: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
/** Before the first score changes what it is written to. */
const commit = commitHere();

for (const measured of measurementsAsked()) await measure(measured);
console.log(`\nbefore tuning, that is before the suite was changed for the faults:\n${firstContactText()}`);

function measurementsAsked(): readonly Measured[] {
  const asked = [...(values.measure ?? []), ...(values.document ? [ofDocument] : [])];
  const unknown = asked.filter((name) => !measurements.some((each) => each === name));
  if (unknown.length > 0)
    throw new Error(`there is no score called ${unknown.join(" or ")}: ${measurements.join(", ")}`);
  return asked.length === 0 ? measurements : measurements.filter((each) => asked.includes(each));
}

async function measure(measured: Measured): Promise<void> {
  const faults =
    measured === ofDocument ? allFaults.filter(({ id }) => breakingDocument.includes(id)) : allFaults;
  const selected = selectedOf(faults);
  const conditions = conditionsOf(measured);
  const wrong = complaints(await runSound({ ...conditions, seed }));
  if (wrong.length > 0) throw new Error(`the service without a fault fails:\n  ${wrong.join("\n  ")}`);

  const isWhole = selected.length === faults.length;
  const done = progressOf(measured, isWhole);
  const known = values.afresh
    ? {}
    : {
        ...dropMissed(readScore(ofDocument)),
        ...dropMissed(readScore("all-strict-operator")),
        ...dropMissed(readScore(measured)),
      };
  const isDone = (fault: string): boolean => done.trials.some((trial) => trial.fault === fault);
  const inferred = values.infer ? missedAbove(measured, selected).filter(({ fault }) => !isDone(fault)) : [];
  const trials: Pick<Trial, "fault" | "by" | "outcome">[] = [...done.trials, ...inferred];
  const left = selected.filter(({ id }) => !trials.some(({ fault }) => fault === id));
  const rest = left.slice(0, Number(values.most));
  await inParallel(rest, Number(values.jobs), async (fault) => {
    const first = known[fault.id] ?? undefined;
    const trial = await tryFault(fault, {
      level: conditions.level,
      callerOnly: !conditions.operator,
      seed,
      failuresMax: values.all ? Infinity : 1,
      ...(first === undefined ? {} : { first }),
    });
    trials.push(trial);
    done.add(trial);
    const by = trial.outcome === "caught" ? trial.by.join(" ") : (trial.detail ?? "");
    const seconds = (trial.elapsedMs / 1000).toFixed(1);
    console.log(`${trials.length}/${selected.length} ${trial.outcome} ${fault.id} (${seconds} s) ${by}`);
  });
  if (rest.length < left.length) {
    console.log(`${left.length - rest.length} faults of ${measured} are left: go on with --resume`);
    return;
  }
  conclude(measured, faults, trials, isWhole);
  done.end();
}

function conclude(
  measured: Measured,
  faults: readonly Fault[],
  trials: readonly Pick<Trial, "fault" | "by" | "outcome">[],
  isWhole: boolean,
): void {
  const score = scoreOf(trials);
  const { level, operator } = conditionsOf(measured);
  const what = measured === ofDocument ? "faults that break the document" : "all faults";
  console.log(`\n${what}, level ${level}, ${operator ? "with" : "without"} operator and mails:`);
  console.log(scoreText(faults, score));
  const isOfOneCommit = commit !== undefined && (!values.infer || isOfSameCommit(measured, commit));
  const origin = isOfOneCommit ? { commit, seed } : undefined;
  if (isWhole) publishScore(faults, score, measured, origin);
  else if (values.merge) publishScore(faults, { ...readScore(measured), ...score }, measured, undefined);
  if (trials.some(({ outcome }) => outcome === "not-started")) process.exitCode = 1;
  const isHeldTo = measured === ofDocument || measured === "all-strict-operator";
  if (!isHeldTo || !isWhole) return;
  const unexplained = trials.filter(
    ({ fault, outcome }) =>
      outcome !== "caught" &&
      !(fault in missedWithReason) &&
      !(measured === ofDocument && fault in missedByCallerAlone),
  );
  if (unexplained.length > 0 || caughtOf(faults, score).length < shareMin * faults.length)
    process.exitCode = 1;
}

function selectedOf(faults: readonly Fault[]): readonly Fault[] {
  const { only, layer } = values;
  const unknown = (only ?? []).filter((name) => !faults.some(({ id }) => id === name));
  if (unknown.length > 0) throw new Error(`there is no fault called ${unknown.join(" or ")}`);
  return faults.filter(
    (fault) =>
      (only === undefined || only.includes(fault.id)) && (layer === undefined || fault.layer === layer),
  );
}

function dropMissed(score: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(score).flatMap(([id, by]) => (by === null ? [] : [[id, by]])));
}

interface Progress {
  readonly trials: readonly Pick<Trial, "fault" | "by" | "outcome">[];
  add(trial: Trial): void;
  end(): void;
}

/** The trials of an interrupted run of the same suite, and a file for those to come. Only of whole runs. */
function progressOf(measured: Measured, isWhole: boolean): Progress {
  if (!isWhole) return { trials: [], add() {}, end() {} };
  const file = `${import.meta.dirname}/../../.data/scores/${measured}-${suiteDigest}-${commit ?? "changed"}.jsonl`;
  if (!values.resume) rmSync(file, { force: true });
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  mkdirSync(dirname(file), { recursive: true });
  return {
    trials: lines.map((line) => JSON.parse(line)),
    add({ fault, by, outcome }) {
      if (outcome !== "not-started") appendFileSync(file, `${JSON.stringify({ fault, by, outcome })}\n`);
    },
    end: () => rmSync(file, { force: true }),
  };
}
