import type { RunReport } from "../runner/run.ts";
import { allOutcomes, countsOf, verdictOn } from "./summary.ts";

const characterWidth = 6.6;

/** A badge as SVG: the interface, its revision, and what share of the cases passed. */
export function badgeReport(report: RunReport): string {
  const { passed, failed, broken } = countsOf(allOutcomes(report));
  const tried = passed + failed + broken;
  const label = `${report.name} ${report.revision}`;
  const share = tried === 0 ? 0 : Math.floor((passed / tried) * 1000) / 10;
  const conforms = verdictOn(report).kind === "conforms";
  const value = conforms ? `conforms (${report.level})` : `${share} % of ${report.level}`;
  const color = conforms ? "#2e7d32" : share >= 95 ? "#b26a00" : "#c62828";
  const left = widthOf(label);
  const right = widthOf(value);
  const text = (x: number, content: string): string =>
    `<text x="${x.toFixed(1)}" y="14" fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,sans-serif" font-size="11">${escaped(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escaped(`${label}: ${value}`)}">`,
    `<title>${escaped(`${label}: ${value}`)}</title>`,
    `<rect width="${left}" height="20" rx="3" fill="#444"/>`,
    `<rect x="${left}" width="${right}" height="20" rx="3" fill="${color}"/>`,
    text(left / 2, label),
    text(left + right / 2, value),
    "</svg>",
    "",
  ].join("\n");
}

function widthOf(text: string): number {
  return Math.round(text.length * characterWidth + 12);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
