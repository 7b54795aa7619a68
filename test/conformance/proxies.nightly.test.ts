import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { allOutcomes, conform, loadSuite } from "../../conformance/index.ts";
import { startIndependentBank } from "./independent-bank.ts";
import { startProxy, type ProxyHabits } from "./proxy.ts";

const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));

interface Setup {
  readonly habits?: ProxyHabits;
  readonly accounts?: number;
  readonly lacks?: readonly string[];
}

const setups: Readonly<Record<string, Setup>> = {
  "behind a proxy that compresses responses": { habits: { gzip: true } },
  "behind a proxy that sends chunks and closes connections": { habits: { chunked: true, closing: true } },
  "behind a slow proxy, without revisions, operator, mails and events": {
    habits: { wait: () => sleep(50) },
    lacks: ["revisions", "operator", "mail", "events"],
  },
  "beside a thousand accounts of others": { accounts: 1_000 },
};

test.each(Object.entries(setups))(
  "another bank's service %s is blamed for nothing but what it does not offer",
  async (_name, { habits = {}, accounts = 0, lacks = [] }) => {
    const bank = await startIndependentBank("object", { accounts });
    const proxy = await startProxy(bank.access.baseUrl, habits);
    try {
      const { baseUrl: _url, ...access } = bank.access;
      const { baseUrl } = proxy;
      const report = await conform({
        ...loaded,
        access,
        baseUrl,
        level: "document",
        seed: 1,
        capabilities: { lacks },
        timeoutMs: 60_000,
        eventTimeoutMs: 60_000,
      });
      const failures = allOutcomes(report).filter(
        ({ id, status }) => (status === "failed" || status === "broken") && !id.endsWith("/present"),
      );
      expect(failures.map(({ id, findings }) => [id, findings[0]?.found])).toEqual([]);
    } finally {
      await proxy.stop();
      await bank.stop();
    }
  },
);
