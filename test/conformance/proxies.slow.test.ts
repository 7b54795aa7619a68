import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allOutcomes, conform, loadSuite, type Level } from "../../conformance/index.ts";
import { startFaultyServer, type FaultyServer } from "../faults/faulty-server.ts";
import { startIndependentBank } from "./independent-bank.ts";
import { startProxy, type ProxyHabits } from "./proxy.ts";

const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));

/** What a proxy may do without breaking anything. */
const harmless: Readonly<Record<string, ProxyHabits>> = {
  "compresses responses": { gzip: true },
  "sends responses in chunks": { chunked: true },
  "closes each connection": { closing: true },
  "answers 50 ms later": { delayMs: 50 },
  "sets cookies and adds headers": {
    headers: (headers) => ({
      ...headers,
      "set-cookie": ["a=1; Path=/", "b=2"],
      via: "1.1 edge",
      "x-cache": "MISS",
    }),
  },
  "names its own server and date": { headers: (headers) => ({ ...headers, server: "edge", age: "0" }) },
  "writes a charset": {
    headers: (headers) => ({ ...headers, "content-type": "application/json;charset=UTF-8" }),
  },
};

let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer(undefined);
});
afterAll(() => server.stop());

/** Ids and findings of all failures of a run through a proxy. */
async function failuresThrough(
  target: Pick<FaultyServer, "access">,
  habits: ProxyHabits,
  level: Level,
  lacks: readonly string[] = [],
): Promise<readonly (readonly [string, string | undefined])[]> {
  const proxy = await startProxy(target.access.baseUrl ?? "", habits);
  try {
    const { baseUrl: _url, operator: _operator, operatorUrl: _operatorUrl, ...access } = target.access;
    const { baseUrl } = proxy;
    const report = await conform({
      ...loaded,
      access,
      baseUrl,
      level,
      seed: 1,
      capabilities: { lacks },
      timeoutMs: 60_000,
    });
    return allOutcomes(report)
      .filter(({ status }) => status === "failed" || status === "broken")
      .map(({ id, findings }) => [id, findings[0]?.found] as const);
  } finally {
    await proxy.stop();
  }
}

describe("a right service behind a proxy", () => {
  test.each(Object.entries(harmless))("that %s passes", async (_name, habits) => {
    expect(await failuresThrough(server, habits, "strict")).toEqual([]);
  });

  test("that removes the revision header fails once, and not at all where the file of capabilities says so", async () => {
    const habits: ProxyHabits = { headers: ({ "x-interface-revision": _revision, ...headers }) => headers };
    const ids = (await failuresThrough(server, habits, "decisions")).map(([id]) => id);
    expect(ids).toEqual(["(endpoint)/answers/revision"]);
    expect(await failuresThrough(server, habits, "document")).toEqual([]);
    expect(await failuresThrough(server, habits, "decisions", ["revisions"])).toEqual([]);
  });

  test("that renames the content type fails once", async () => {
    const habits: ProxyHabits = { headers: (headers) => ({ ...headers, "content-type": "text/json" }) };
    const ids = (await failuresThrough(server, habits, "decisions")).map(([id]) => id);
    expect(ids).toEqual(["(endpoint)/answers/content-type"]);
  });
});

const combinations: readonly (readonly string[])[] = [
  [],
  ["revisions"],
  ["operator"],
  ["mail"],
  ["events"],
  ["revisions", "operator", "mail", "events"],
];

describe("another bank's service", () => {
  test.each(combinations)(
    "is blamed for nothing but what it does not offer, lacking %s %s %s %s",
    async (...lacks) => {
      const bank = await startIndependentBank("object");
      try {
        const target = { access: bank.access };
        for (const habits of [{}, { gzip: true, chunked: true, closing: true }]) {
          const ids = (await failuresThrough(target, habits, "document", lacks)).map(([id]) => id);
          expect(ids.filter((id) => !id.endsWith("/present"))).toEqual([]);
        }
      } finally {
        await bank.stop();
      }
    },
  );

  test("with a thousand accounts of others is held to the document alone", async () => {
    const bank = await startIndependentBank("object", { accounts: 1_000 });
    try {
      const ids = (await failuresThrough({ access: bank.access }, {}, "document")).map(([id]) => id);
      expect(ids.filter((id) => !id.endsWith("/present"))).toEqual([]);
    } finally {
      await bank.stop();
    }
  });
});
