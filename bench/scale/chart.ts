import type { Projection } from "./model.ts";

const width = 720;
const height = 360;
const margin = { left: 60, right: 70, top: 40, bottom: 50 };

/** The projections as an SVG of its own: 99th percentile (logarithmic, left) and cost a month (right) by clusters. */
export function chartOf(projections: readonly Projection[]): string {
  const top = Math.max(...projections.map(({ dollarsPerMonth }) => dollarsPerMonth));
  const x = (index: number): number =>
    margin.left + ((index + 0.5) / projections.length) * (width - margin.left - margin.right);
  const span = height - margin.top - margin.bottom;
  const y = (share: number): number => margin.top + (1 - Math.min(1, Math.max(0, share))) * span;
  const yOfMs = (ms: number): number => y(Math.log10(ms) / 4);
  const bars = projections.map(({ dollarsPerMonth }, at) => {
    const from = y(dollarsPerMonth / top);
    return `<rect x="${(x(at) - 14).toFixed(1)}" y="${from.toFixed(1)}" width="28" height="${(y(0) - from).toFixed(1)}" fill="#c7d7ea"/>`;
  });
  const points = projections.map(({ p99Ms }, at) => `${x(at).toFixed(1)},${yOfMs(p99Ms).toFixed(1)}`);
  const dots = points.map((point) => `<circle cx="${point.replace(",", '" cy="')}" r="4" fill="#b3261e"/>`);
  const names = projections.map(({ clusters }, at) => label(x(at), height - 30, String(clusters), "middle"));
  const left = [1, 10, 100, 1000, 10_000].map((ms) =>
    label(margin.left - 8, yOfMs(ms) + 4, `${ms} ms`, "end"),
  );
  const right = [0, 0.5, 1].map((share) =>
    label(width - margin.right + 8, y(share) + 4, `$${Math.round((share * top) / 1000)} k`, "start"),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#fff"/>
${label(margin.left, 22, "99th percentile (line, left) and cost a month (bars, right) by number of clusters", "start")}
${[...bars, ...left, ...right, ...names].join("\n")}
<polyline points="${points.join(" ")}" fill="none" stroke="#b3261e" stroke-width="2"/>
${dots.join("\n")}
${label(width / 2, height - 10, "clusters", "middle")}
</svg>
`;
}

function label(x: number, y: number, text: string, anchor: "start" | "middle" | "end"): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#222">${text}</text>`;
}
