import { digits } from "./report.ts";
import type { Figure } from "./figures.ts";

const [width, barHeight, gap, left, right] = [960, 16, 6, 350, 150];

/** All figures as one picture that needs nothing else: bars from zero, the spread as a line, ratios in words. */
export function chartOf(figures: readonly Figure[]): string {
  const sections = Map.groupBy(figures, ({ part, measure, unit }) => `${part}: ${measure}, ${unit}`);
  let y = 10;
  const drawn: string[] = [];
  for (const [title, own] of sections) {
    y += 22;
    drawn.push(`<text class="title" x="8" y="${y}">${escaped(title)}</text>`);
    y += 10;
    const most = Math.max(...own.map(({ spread }) => spread.high));
    const scale = (width - left - right) / most;
    for (const { contestant, spread, ratio } of own) {
      const middle = y + barHeight / 2;
      const [low, high] = [left + spread.low * scale, left + spread.high * scale];
      const words =
        ratio === undefined
          ? digits(spread.median)
          : `${digits(spread.median)} (× ${ratio.median.toFixed(2)})`;
      drawn.push(
        `<text x="${left - 8}" y="${middle + 4}" text-anchor="end">${escaped(contestant)}</text>`,
        `<rect class="${contestant.startsWith("ledger-rpc") ? "own" : "other"}" x="${left}" y="${y}" width="${(spread.median * scale).toFixed(1)}" height="${barHeight}"/>`,
        `<line x1="${low.toFixed(1)}" x2="${high.toFixed(1)}" y1="${middle}" y2="${middle}"/>`,
        `<text x="${(high + 8).toFixed(1)}" y="${middle + 4}">${words}</text>`,
      );
      y += barHeight + gap;
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 16}" role="img" aria-label="What each contestant needs">
<style>
text { font: 12px system-ui, sans-serif; fill: #1d2733 } .title { font-weight: 600; font-size: 13px }
.own { fill: #1f6feb } .other { fill: #9aa7b5 } line { stroke: #1d2733; stroke-width: 1.5 } svg { background: #fff }
@media (prefers-color-scheme: dark) { svg { background: #10161d } text { fill: #e6edf3 } line { stroke: #e6edf3 } .other { fill: #55616e } .own { fill: #58a6ff } }
</style>
${drawn.join("\n")}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
