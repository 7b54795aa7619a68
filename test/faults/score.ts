import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { levels, type Level } from "../../conformance/index.ts";
import { layers, type Fault } from "./fault.ts";
import { missedByCallerAlone, missedWithReason } from "./missed.ts";
import type { Trial } from "./try-fault.ts";

/** The faults that break what the document itself says, at that level, without an operator and without mails. */
export const ofDocument = "document";

/**
 * What a score was measured on. `document`: the faults that break the document. Otherwise all faults, at a level, with an
 * operator and the folder of mails, or without either.
 */
export type Measured = typeof ofDocument | `all-${Level}-${"operator" | "alone"}`;

/** Every score there is. */
export const measurements: readonly Measured[] = [
  "all-strict-operator",
  ofDocument,
  // From the highest level down: what a level missed, those below it miss, too.
  ...levels.toReversed().flatMap((level) => [`all-${level}-alone`, `all-${level}-operator`] as const),
].filter((each, index, all): each is Measured => all.indexOf(each) === index);

/** The level of a score, and whether it was measured with an operator. */
export function conditionsOf(measured: Measured): { readonly level: Level; readonly operator: boolean } {
  const level = levels.find((each) => measured.includes(each));
  if (level === undefined) throw new Error(`the score ${measured} names no level`);
  return { level, operator: measured.endsWith("-operator") };
}

/** The faults that a committed score at a higher level, under the same conditions, says were missed. */
export function missedAbove(
  measured: Measured,
  faults: readonly Fault[],
): readonly Pick<Trial, "fault" | "by" | "outcome">[] {
  const scores = scoresAbove(measured).map(readScore);
  return faults
    .filter(({ id }) => scores.some((score) => score[id] === null))
    .map(({ id }) => ({ fault: id, by: [], outcome: "missed" }));
}

/** Whether a score may be inferred from without leaving a commit: those at higher levels were measured on the same one. */
export function isOfSameCommit(measured: Measured, commit: string): boolean {
  const text = readFileSync(guide, "utf8");
  return scoresAbove(measured).every((above) =>
    published(above).exec(text)?.[0].includes(`commit ${commit}`),
  );
}

/** The scores over the same faults, under the same conditions, at higher levels. */
function scoresAbove(measured: Measured): readonly Measured[] {
  if (measured === ofDocument) return [];
  const { level, operator } = conditionsOf(measured);
  return levels
    .slice(levels.indexOf(level) + 1)
    .map((above) => `all-${above}-${operator ? "operator" : "alone"}` as const);
}

const root = join(import.meta.dirname, "../..");
const guide = join(root, "docs/internals/fault-scores.md");

/** What share of the faults must be caught. */
export const shareMin = 0.97;

/** The last score that was computed: of each fault the case that caught it, or null. */
export type Score = Readonly<Record<string, string | null>>;

/** The committed score; empty where it was never computed. */
export function readScore(measured: Measured): Score {
  return existsSync(scoreFile(measured)) ? JSON.parse(readFileSync(scoreFile(measured), "utf8")) : {};
}

function scoreFile(measured: Measured): string {
  return join(import.meta.dirname, `scores/${measured}.json`);
}

export function scoreOf(trials: readonly Pick<Trial, "fault" | "by">[]): Score {
  const rows = trials.map(({ fault, by }) => [fault, by[0] ?? null] as const);
  return Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The score for people: in all, layer by layer, and what was missed. */
export function scoreText(faults: readonly Fault[], score: Score): string {
  const rows = layers.flatMap((layer) => {
    const tried = faults.filter((fault) => fault.layer === layer && fault.id in score);
    return tried.length === 0
      ? []
      : `  ${layer.padEnd(12)} ${caughtOf(tried, score).length} of ${tried.length}`;
  });
  const tried = faults.filter(({ id }) => id in score);
  const missed = tried.filter(({ id }) => score[id] === null);
  return [
    `${scoreLine(faults, score)} caught`,
    ...rows,
    ...missed.map(
      ({ id }) =>
        `  missed ${id}: ${missedWithReason[id] ?? missedByCallerAlone[id] ?? "no reason given yet"}`,
    ),
  ].join("\n");
}

/** `310 of 318 seeded faults (97.5 %)`. */
export function scoreLine(faults: readonly Fault[], score: Score): string {
  const tried = faults.filter(({ id }) => id in score);
  const caught = caughtOf(tried, score).length;
  const share = tried.length === 0 ? 0 : Math.floor((caught / tried.length) * 1000) / 10;
  return `${caught} of ${tried.length} seeded faults (${share} %)`;
}

export function caughtOf(faults: readonly Fault[], score: Score): readonly Fault[] {
  return faults.filter(({ id }) => typeof score[id] === "string");
}

/** What a score belongs to: one state of the repository, and the seed of the runs. */
export interface ScoreOrigin {
  readonly commit: string;
  readonly seed: number;
}

/** Stores the score and replaces its line wherever it is published. Without an origin it was pieced together. */
export function publishScore(
  faults: readonly Fault[],
  score: Score,
  measured: Measured,
  origin: ScoreOrigin | undefined,
): void {
  writeFileSync(scoreFile(measured), `${JSON.stringify(score, null, 2)}\n`);
  const of = origin === undefined ? "several commits" : `commit ${origin.commit}, seed ${origin.seed}`;
  const line = (_all: string, before: string) => `${before}${scoreLine(faults, score)}; ${of}`;
  writeFileSync(guide, readFileSync(guide, "utf8").replace(published(measured), line));
}

/**
 * The commit that is checked out; `undefined` where files of it were changed since, so that nobody can repeat the score.
 * What earlier scores were written to changes none.
 */
export function commitHere(): string | undefined {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const others = [".", ":!test/faults/scores", `:!${relative(root, guide)}`];
  const isChanged = git("status", "--porcelain", "--untracked-files=no", "--", ...others) !== "";
  return isChanged ? undefined : git("rev-parse", "--short=10", "HEAD");
}

/** The score as docs/internals/fault-scores.md has it; undefined where it has none. */
export function publishedScore(measured: Measured): string | undefined {
  return published(measured).exec(readFileSync(guide, "utf8"))?.[2];
}

function published(measured: Measured): RegExp {
  return new RegExp(
    `(<!-- faults ${measured} -->\\s*)(\\d+ of \\d+ seeded faults \\([\\d.]+ %\\)|not computed)` +
      "(?:; (?:commit \\w+, seed \\d+|several commits))?",
  );
}
