import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layers, type Fault } from "./fault.ts";
import { missedWithReason } from "./missed.ts";
import type { Trial } from "./try-fault.ts";

const readme = join(import.meta.dirname, "../../README.md");
const guide = join(import.meta.dirname, "../../docs/conformance.md");

/** What share of the faults must be caught. */
export const shareMin = 0.97;

/** The score for people: in all, layer by layer, and what was missed. */
export function scoreText(faults: readonly Fault[], trials: readonly Trial[]): string {
  const caught = trials.filter(({ outcome }) => outcome === "caught");
  const missed = trials.filter(({ outcome }) => outcome === "missed");
  const rows = layers.flatMap((layer) => {
    const ids = new Set(faults.filter((fault) => fault.layer === layer).map(({ id }) => id));
    const tried = trials.filter(({ fault }) => ids.has(fault));
    if (tried.length === 0) return [];
    return `  ${layer.padEnd(12)} ${tried.filter(({ outcome }) => outcome === "caught").length} of ${tried.length}`;
  });
  return [
    "",
    `${caught.length} of ${trials.length} faults caught (${percent(caught.length, trials.length)})`,
    ...rows,
    ...missed.map(({ fault }) => `  missed ${fault}: ${missedWithReason[fault] ?? "no reason given yet"}`),
  ].join("\n");
}

/** Puts the score where it is published. */
export function writeScore(faults: readonly Fault[], trials: readonly Trial[]): void {
  const caught = trials.filter(({ outcome }) => outcome === "caught").length;
  const line = `${caught} of ${faults.length} seeded faults (${percent(caught, faults.length)})`;
  for (const file of [readme, guide]) {
    const text = readFileSync(file, "utf8");
    const changed = text.replace(scored, (_all, before: string, after: string) => before + line + after);
    if (changed !== text) writeFileSync(file, changed);
  }
}

/** The published score of a text; undefined where there is none. */
export function publishedScore(text: string): { readonly caught: number; readonly of: number } | undefined {
  const found = /(\d+) of (\d+) seeded faults/.exec(text);
  return found === null ? undefined : { caught: Number(found[1]), of: Number(found[2]) };
}

const scored = /(<!-- faults -->)[^<]*(<!-- \/faults -->)/g;

function percent(part: number, whole: number): string {
  return whole === 0 ? "none" : `${((part / whole) * 100).toFixed(1)} %`;
}
