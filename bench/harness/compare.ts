import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Figure } from "./figures.ts";

/** How much worse a ratio may get before a comparison fails. */
const toleranceShare = 0.15;

const Baseline = z.object({
  figures: z.array(
    z.object({
      part: z.string(),
      contestant: z.string(),
      measure: z.string(),
      ratio: z.object({ to: z.string(), median: z.number() }).optional(),
    }),
  ),
});

/**
 * The figures that got worse against an earlier run, a sentence each. Ratios alone are compared: they hold from machine
 * to machine. What only one of the two runs has is not compared.
 */
export function worseThan(baselineFile: string, figures: readonly Figure[]): readonly string[] {
  const before = new Map(
    Baseline.parse(JSON.parse(readFileSync(baselineFile, "utf8"))).figures.flatMap((figure) =>
      figure.ratio === undefined ? [] : [[keyOf(figure), figure.ratio] as const],
    ),
  );
  return figures.flatMap((figure) => {
    const { part, measure, contestant, ratio, better } = figure;
    const old = before.get(keyOf(figure));
    if (ratio === undefined || old === undefined || old.to !== ratio.to) return [];
    const change = better === "lower" ? ratio.median / old.median : old.median / ratio.median;
    if (change <= 1 + toleranceShare) return [];
    const percent = Math.round((change - 1) * 100);
    const [was, is] = [old.median.toFixed(3), ratio.median.toFixed(3)];
    return [`${part}, ${measure}, ${contestant} ÷ ${ratio.to}: ${was} before, ${is} now, ${percent} % worse`];
  });
}

function keyOf({ part, measure, contestant }: Pick<Figure, "part" | "measure" | "contestant">): string {
  return JSON.stringify([part, measure, contestant]);
}
