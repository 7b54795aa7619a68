import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { chartOf } from "../../bench/harness/chart.ts";
import { worseThan } from "../../bench/harness/compare.ts";
import { figuresOf, keepsGoal } from "../../bench/harness/figures.ts";
import { callClosed, callOpen, requestBytes } from "../../bench/harness/http-load.ts";
import { refreshed } from "../../bench/harness/refresh.ts";
import { reportOf } from "../../bench/harness/report.ts";
import { createHostCheck } from "../../runtime/transport/http/refusals.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-figures-"));
afterAll(() => rmSync(folder, { recursive: true }));

const shared = {
  part: "reads <signed>",
  measure: "CPU",
  unit: "µs",
  better: "lower",
  base: "floor",
} as const;
const figuresWith = (own: readonly number[]) =>
  figuresOf({
    ...shared,
    goals: { ours: { of: "ratio", atMost: 1.25 } },
    rounds: new Map([
      ["floor", [10, 20, 30]],
      ["ours", own],
    ]),
  });

test("ratios are taken round by round, so that a slow round does not count twice", () => {
  const [floor, ours] = figuresWith([12, 24, 60]);
  expect(floor?.ratio).toBeUndefined();
  expect(ours?.spread).toEqual({ median: 24, low: 12, high: 60 });
  expect(ours?.ratio).toEqual({ to: "floor", median: 1.2, low: 1.2, high: 2 });
  expect(ours === undefined ? undefined : keepsGoal(ours)).toBe(true);
  expect(figuresWith([13, 26, 60]).map(keepsGoal)).toEqual([undefined, false]);
});

test("parts that were measured anew take the place of their own, on the same machine alone", () => {
  const machine = { node: "v24", platform: "linux", arch: "x64", cores: 2, cpu: "one" };
  const file = join(folder, "earlier.json");
  const other = { part: "writes", contestant: "ours" };
  writeFileSync(file, JSON.stringify({ machine, figures: [...figuresWith([12, 24, 36]), other] }));
  const anew = figuresWith([1, 2, 3]);
  expect(refreshed(file, machine, anew)).toEqual([other, ...anew]);
  expect(() => refreshed(file, { ...machine, cpu: "another" }, anew)).toThrow("was measured on one (x64)");
});

test("a comparison names each ratio that got worse by more than 15 %, and no other", () => {
  const baseline = join(folder, "baseline.json");
  writeFileSync(baseline, JSON.stringify({ figures: figuresWith([12, 24, 36]) }));
  expect(worseThan(baseline, figuresWith([13, 26, 39]))).toEqual([]);
  expect(worseThan(baseline, figuresWith([14, 28, 42]))).toEqual([
    "reads <signed>, CPU, ours ÷ floor: 1.200 before, 1.400 now, 17 % worse",
  ]);
  expect(worseThan(baseline, figuresWith([6, 12, 18]))).toEqual([]);
});

test("table and picture show every contestant, and no text of theirs as markup", () => {
  const figures = figuresWith([13, 26, 39]);
  expect(reportOf(figures)).toMatch(/ours .*26\.0 .*1\.30 .*≤ 1\.25 MISSED/);
  const chart = chartOf(figures);
  expect(chart).toContain("reads &lt;signed>: CPU, µs");
  expect(chart).toContain("26.0 (× 1.30)");
});

test("the load sends every request once, hands every answer over, and fails for a wrong one", async () => {
  const received: string[] = [];
  const isForThis = createHostCheck("127.0.0.1", []);
  const server = createServer((request, response) => {
    if (!isForThis(request)) return void response.writeHead(421, { "content-length": 0 }).end();
    // The one that shows that the connection was accepted.
    if (request.method === "GET") response.writeHead(404, { "content-length": 0 }).end();
    request.setEncoding("utf8").on("data", (text: string) => {
      received.push(text);
      const answer = `answer to ${text}, ${"é".repeat(40_000)}`;
      response.writeHead(200, { "content-length": Buffer.byteLength(answer) });
      response.end(answer);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
  const requests = Array.from({ length: 20 }, (_, n) => requestBytes("/", `request ${n}`));
  const check = (body: string, request: number): void => {
    if (!body.startsWith(`answer to request ${request},`)) throw new Error(`wrong: ${body.slice(0, 40)}`);
  };
  const load = { url, connections: 3, requests, check };
  expect((await callClosed(load)).answered).toBe(20);
  expect((await callOpen(load, 100_000)).answered).toBe(20);
  expect(received.toSorted()).toEqual(
    [...requests.keys(), ...requests.keys()].map((n) => `request ${n}`).toSorted(),
  );
  await expect(callClosed({ ...load, check: (body) => check(body, 99) })).rejects.toThrow("wrong: answer to");
  server.close();
});
