import Table from "cli-table3";
import { keepsGoal, type Figure } from "./figures.ts";
import type { Spread } from "./statistics.ts";

/** All figures as one table: a section for each part and measure, a line for each contestant. */
export function reportOf(figures: readonly Figure[]): string {
  const table = new Table({
    head: ["", "median", "least–most", "ratio", "least–most", "goal"],
    style: { head: [], border: [], compact: true },
    colAligns: ["left", "right", "right", "right", "right", "left"],
  });
  let section = "";
  for (const figure of figures) {
    const { part, measure, unit, contestant, spread, ratio } = figure;
    const own = `${part}: ${measure}, ${unit}`;
    if (own !== section) {
      const base = figures.find((each) => `${each.part}: ${each.measure}, ${each.unit}` === own && each.ratio)
        ?.ratio?.to;
      table.push([{ colSpan: 6, content: base === undefined ? own : `${own}; ratio to ${base}` }]);
      section = own;
    }
    table.push([`  ${contestant}`, ...cells(spread), ...cells(ratio), goalText(figure)]);
  }
  return table.toString();
}

function cells(spread: Spread | undefined): readonly [string, string] {
  if (spread === undefined) return ["", ""];
  return [digits(spread.median), `${digits(spread.low)}–${digits(spread.high)}`];
}

/** Three digits that count, and no more than that. */
export function digits(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return value.toPrecision(3);
}

function goalText(figure: Figure): string {
  const { goal } = figure;
  if (goal === undefined) return "";
  const bound = goal.atMost === undefined ? `≥ ${digits(goal.atLeast ?? NaN)}` : `≤ ${digits(goal.atMost)}`;
  return `${bound} ${keepsGoal(figure) === true ? "met" : "MISSED"}`;
}
