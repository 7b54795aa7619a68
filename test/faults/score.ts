import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layers, type Fault } from "./fault.ts";
import { missedWithReason } from "./missed.ts";
import type { Trial } from "./try-fault.ts";

/**
 * What a score was measured on: `strict`, all faults at that level, with an operator and the folder of mails; `document`,
 * the faults that break what the document itself says, at that level, with neither.
 */
export type Measured = "strict" | "document";

const readme = join(import.meta.dirname, "../../README.md");

/** What share of the faults must be caught. */
export const shareMin = 0.97;

/** The last score that was computed: of each fault the case that caught it, or null. */
export type Score = Readonly<Record<string, string | null>>;

/** The committed score. @throws Error where there is none that can be read */
export function readScore(measured: Measured): Score {
  return JSON.parse(readFileSync(scoreFile(measured), "utf8"));
}

function scoreFile(measured: Measured): string {
  return join(import.meta.dirname, `score-${measured}.json`);
}

export function scoreOf(trials: readonly Trial[]): Score {
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
    ...missed.map(({ id }) => `  missed ${id}: ${missedWithReason[id] ?? "no reason given yet"}`),
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

/** Writes the score down and puts it where it is published. */
export function publishScore(faults: readonly Fault[], score: Score, measured: Measured): void {
  writeFileSync(scoreFile(measured), `${JSON.stringify(score, null, 2)}\n`);
  const text = readFileSync(readme, "utf8");
  writeFileSync(
    readme,
    text.replace(published(measured), (_all, before: string) => before + scoreLine(faults, score)),
  );
}

/** The score as the README has it; undefined where it has none. */
export function publishedScore(measured: Measured): string | undefined {
  return published(measured).exec(readFileSync(readme, "utf8"))?.[2];
}

function published(measured: Measured): RegExp {
  return new RegExp(`(<!-- faults ${measured} -->\\s*)(\\d+ of \\d+ seeded faults \\([\\d.]+ %\\))`);
}
