/**
 * `npm run conform:score` starts the service once for each fault, runs the conformance suite until a case fails, and
 * prints how many faults are caught. It does so at each level with operator and mails (`all-strict-operator`) and
 * without (`all-strict-alone`). For faults against the document it does so at level `document` alone (`document`).
 * Beside these scores after tuning it prints those before tuning. Writes scores/*.json and the lines of
 * docs/internals/fault-scores.md.
 *
 * `--measure <score>` computes one of them, `--document` is short for `--measure document`. An interrupted run goes on
 * with `--resume` where it stopped, as long as the suite is the same, and the commit. `--most 100` stops after so many faults of a score.
 *
 * `--infer` skips faults that the committed score at a higher level missed under the same conditions. A lower level
 * sends no other requests and counts fewer findings. The score has a commit where that one has the same.
 *
 * `--check` writes nothing; the run fails where a score falls below its share.
 *
 * `--only <fault>` and `--layer <layer>` try some of the faults; nothing is written then, unless `--merge` puts what was
 * found into the score. `--all` goes on after the first failure. `--afresh` does not begin with the case that caught a
 * fault the last time.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { inParallel, levels, type Level } from "../../conformance/index.ts";
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
import { complaints, runSound, suiteDigest, withFault, type Trial, type TrialOptions } from "./try-fault.ts";

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
    check: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
/** Before the first score changes what it is written to. */
const commit = commitHere();

for (const operator of [true, false])
  await measureTogether(measurementsAsked().filter((each) => conditionsOf(each).operator === operator));
console.log(`\nbefore tuning, that is before the suite was changed for the faults:\n${firstContactText()}`);

function measurementsAsked(): readonly Measured[] {
  const asked = [...(values.measure ?? []), ...(values.document ? [ofDocument] : [])];
  const unknown = asked.filter((name) => !measurements.some((each) => each === name));
  if (unknown.length > 0)
    throw new Error(`there is no score called ${unknown.join(" or ")}: ${measurements.join(", ")}`);
  return asked.length === 0 ? measurements : measurements.filter((each) => asked.includes(each));
}

/** A score in the making. */
interface Row {
  readonly measured: Measured;
  readonly level: Level;
  readonly faults: readonly Fault[];
  readonly selected: readonly Fault[];
  readonly isWhole: boolean;
  readonly done: Progress;
  readonly trials: Pick<Trial, "fault" | "by" | "outcome">[];
}

/** Computes scores under the same conditions at several levels: each fault is started once for all of them. */
async function measureTogether(measurements: readonly Measured[]): Promise<void> {
  const rows: Row[] = [];
  // From the highest level down.
  for (const level of levels.toReversed())
    for (const measured of measurements.filter((each) => conditionsOf(each).level === level)) {
      const wrong = complaints(await runSound({ ...conditionsOf(measured), seed }));
      if (wrong.length > 0) throw new Error(`the service without a fault fails:\n  ${wrong.join("\n  ")}`);
      rows.push(rowOf(measured));
    }
  const left = allFaults.filter((fault) => rows.some((row) => isLeft(row, fault)));
  const now = left.slice(0, Number(values.most));
  let tried = left.length - now.length;
  await inParallel(now, Number(values.jobs), async (fault) => {
    const startedAt = performance.now();
    await withFault(fault, (attempt) => tryRows(fault, rows, attempt));
    tried += 1;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const outcomes = rows.flatMap(({ measured, trials }) =>
      trials.flatMap(({ fault: id, outcome, by }) =>
        id === fault.id ? [`${measured} ${outcome} ${by.join(" ")}`.trim()] : [],
      ),
    );
    console.log(`${tried}/${left.length} ${fault.id} (${seconds} s): ${outcomes.join("; ")}`);
  });
  for (const row of rows) {
    const rest = row.selected.filter((fault) => isLeft(row, fault));
    if (rest.length > 0)
      console.log(`${rest.length} faults of ${row.measured} are left: go on with --resume`);
    else {
      conclude(row.measured, row.faults, row.trials, row.isWhole);
      row.done.end();
    }
  }
}

function rowOf(measured: Measured): Row {
  const faults =
    measured === ofDocument ? allFaults.filter(({ id }) => breakingDocument.includes(id)) : allFaults;
  const selected = selectedOf(faults);
  const isWhole = selected.length === faults.length;
  const done = progressOf(measured, isWhole);
  const isDone = (fault: string): boolean => done.trials.some((trial) => trial.fault === fault);
  const inferred = values.infer ? missedAbove(measured, selected).filter(({ fault }) => !isDone(fault)) : [];
  const { level } = conditionsOf(measured);
  return { measured, level, faults, selected, isWhole, done, trials: [...done.trials, ...inferred] };
}

function isLeft({ selected, trials }: Row, { id }: Fault): boolean {
  return selected.some((each) => each.id === id) && !trials.some(({ fault }) => fault === id);
}

/**
 * Tries a fault for all scores, from the highest level down. A lower level sends nothing else and counts fewer
 * findings: a catch counts for all levels above, a miss for all below.
 */
async function tryRows(
  fault: Fault,
  rows: readonly Row[],
  attempt: (options: TrialOptions) => Promise<Trial>,
): Promise<void> {
  const isLow = ({ level }: Row, than: Row): boolean => levels.indexOf(level) <= levels.indexOf(than.level);
  const open = (): readonly Row[] => rows.filter((row) => isLeft(row, fault));
  const note = (trial: Trial, concerned: (row: Row) => boolean): void => {
    for (const row of open().filter(concerned)) {
      row.trials.push(trial);
      row.done.add(trial);
    }
  };
  const optionsOf = (row: Row, first: string | undefined): TrialOptions => ({
    level: row.level,
    callerOnly: !conditionsOf(row.measured).operator,
    seed,
    failuresMax: values.all ? Infinity : 1,
    ...(first === undefined ? {} : { first }),
  });
  // What caught it the last time at the lowest level saves all others.
  const known = values.all || values.afresh ? undefined : open().findLast((row) => lastCase(row, fault));
  if (known !== undefined) {
    const trial = await attempt({ ...optionsOf(known, lastCase(known, fault)), onlyFirst: true });
    if (trial.outcome === "caught") note(trial, (row) => isLow(known, row));
  }
  for (let [row] = open(); row !== undefined; [row] = open()) {
    const trial = await attempt(optionsOf(row, values.afresh ? undefined : knownOf(row.measured, fault)));
    const current = row;
    const isSame = ({ level }: Row): boolean => level === current.level;
    note(trial, (each) => isSame(each) || (trial.outcome !== "caught" && isLow(each, current)));
  }
}

/** The case that caught a fault the last time at this level, if any did. */
function lastCase({ measured, level }: Row, { id }: Fault): string | undefined {
  const scores: readonly Measured[] = level === "document" ? [measured, ofDocument] : [measured];
  return scores.flatMap((each) => readScore(each)[id] ?? [])[0];
}

/** The case that caught a fault the last time at any level, if any did. */
function knownOf(measured: Measured, { id }: Fault): string | undefined {
  const scores = [measured, "all-strict-operator", ofDocument] as const;
  return scores.flatMap((each) => readScore(each)[id] ?? [])[0];
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
  if (values.check) console.log("nothing is written: --check");
  else if (isWhole) publishScore(faults, score, measured, origin);
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
  const unknown = (only ?? []).filter((name) => !allFaults.some(({ id }) => id === name));
  if (unknown.length > 0) throw new Error(`there is no fault called ${unknown.join(" or ")}`);
  return faults.filter(
    (fault) =>
      (only === undefined || only.includes(fault.id)) && (layer === undefined || fault.layer === layer),
  );
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
