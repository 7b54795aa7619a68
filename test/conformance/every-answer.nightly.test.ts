import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conform, loadSuite, textReport, type RunReport } from "../../conformance/index.ts";
import { openCapabilities } from "../../conformance/session/capabilities.ts";
import { startFaultyServer, type FaultyServer } from "../faults/faulty-server.ts";

const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
const folder = mkdtempSync(join(tmpdir(), "every-answer-"));
const paint = { bold: same, dim: same, red: same, green: same, yellow: same };
let service: FaultyServer;
let proxy: Server;
let proxyUrl: string;

function same(text: string): string {
  return text;
}

beforeAll(async () => {
  service = await startFaultyServer(undefined);
  proxy = await startProxy(service.access.baseUrl ?? "");
  const address = proxy.address();
  proxyUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** A proxy that removes one header of every answer. */
async function startProxy(target: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request(
      new URL(url ?? "/", target),
      { method: method ?? "POST", headers },
      (answer) => {
        const { "x-interface-revision": _removed, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, rest);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function tried(only: readonly string[], lacks: readonly string[] = []): Promise<RunReport> {
  return await conform({
    ...loaded,
    access: service.access,
    baseUrl: proxyUrl,
    seed: 1,
    only,
    explore: { runs: 0 },
    capabilities: { lacks },
  });
}

test("a header that a proxy removes is reported once, and fails no case but that about it", async () => {
  const report = await tried(["AccountService.GetAccount", "(endpoint)/envelope"]);
  const failed = report.outcomes.filter(({ status }) => status === "failed");
  expect(failed.map(({ id }) => id)).toEqual(["(endpoint)/answers/revision"]);
  expect(failed[0]).toMatchObject({ level: "decisions", origin: ["9", "D-46"] });
  expect(failed[0]?.seenIn?.length).toBeGreaterThan(5);
  expect(report.requirements.filter(({ verdict }) => verdict === "broken")).toEqual([]);
  const text = textReport(report, { paint, failuresMax: 20 });
  expect(text.match(/expected X-Interface-Revision/g)).toHaveLength(1);
  expect(text).toMatch(/does not conform: 1 failed/);
});

test("what the capability file says is lacking is skipped with the reason", async () => {
  const { outcomes } = await tried(
    ["AccountService.ListAccounts", "scenario/amounts-are-exact"],
    ["revisions", "filter-syntax", "operator"],
  );
  expect(outcomes.filter(({ status }) => status === "failed")).toEqual([]);
  const reasons = new Set(outcomes.flatMap(({ reason }) => reason ?? []));
  expect([...reasons]).toContain("the capability file says that the service lacks filter-syntax");
  expect([...reasons].filter((reason) => /operator access/.test(reason))).not.toEqual([]);
});

describe("a capability file", () => {
  const said = (content: string): string => {
    const file = join(folder, "capabilities.json");
    writeFileSync(file, content);
    try {
      return openCapabilities(file, loaded.suite).lacks.join();
    } catch (error) {
      return error instanceof Error ? error.message.replace(file, "FILE") : "";
    }
  };

  test("names rules of the interface, operator, mail and events", () => {
    expect(said('{ "lacks": ["revisions", "mail"] }')).toBe("revisions,mail");
  });

  test.each([
    ["{", "FILE is no JSON"],
    ["{}", "FILE: it has to be { "],
    ['{ "lacks": ["revision"] }', "did you mean revisions?"],
  ])("%s: %s", (content, message) => {
    expect(said(content)).toContain(message);
  });
});
