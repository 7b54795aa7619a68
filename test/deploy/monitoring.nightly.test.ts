import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { contractClient } from "../e2e/contract-client.ts";
import { startReceiver } from "../e2e/receiver.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { startOnSomePort } from "../some-port.ts";
import { hasProgram } from "./has-program.ts";

const monitoring = join(import.meta.dirname, "../../deploy/monitoring");

/** The part of Prometheus' answer to a query that is read here. */
type Ask = (path: string, query?: string) => Promise<{ readonly [part: string]: readonly Named[] }>;

interface Named {
  readonly [label: string]: unknown;
}

test.runIf(hasProgram("prometheus"))(
  "Prometheus reads a running service by the example, finds its rules healthy, and has data for every panel",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "ledger-monitoring-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const server = await startServer(join(folder, "data"), { LEDGER_METRICS_PUBLIC: "on" });
    onTestFinished(() => server.stop().then(() => undefined));
    const ask = await startPrometheus(folder, new URL(server.access.baseUrl).host);
    const work = await worker(server);

    const { panels } = JSON.parse(readFileSync(join(monitoring, "dashboard.json"), "utf8"));
    const waiting = new Map<string, readonly string[]>();
    for (const { title, targets } of panels)
      waiting.set(
        title,
        targets.map(({ expr }: { expr: string }) => expr.replaceAll("$__rate_interval", "20s")),
      );
    const series: string[] = [];
    await expect
      .poll(
        async () => {
          await work();
          for (const [title, expressions] of waiting) {
            const found = (await Promise.all(expressions.map((expr) => ask("query", expr)))).map(
              ({ result }) => result ?? [],
            );
            if (found.some((each) => each.length === 0)) continue;
            waiting.delete(title);
            series.push(title);
          }
          return [...waiting.keys()];
        },
        { interval: 500 },
      )
      .toEqual([]);
    expect(series).toHaveLength(panels.length);

    const up = await ask("query", 'up{job="ledger"}');
    expect(up["result"]).toMatchObject([{ value: [expect.any(Number), "1"] }]);
    const { groups = [] } = await ask("rules");
    const rules = groups.flatMap(({ rules: ofGroup }) => (Array.isArray(ofGroup) ? ofGroup : []));
    expect(rules.length).toBeGreaterThan(8);
    expect(rules.filter(({ health }) => health === "err")).toEqual([]);
  },
);

/** Prometheus with the example's files: only addresses, paths and intervals are other ones. */
async function startPrometheus(folder: string, target: string): Promise<Ask> {
  const text = readFileSync(join(monitoring, "prometheus.yaml"), "utf8")
    .replace('"ledger-1:8080", "ledger-2:8080"', `"${target}"`)
    .replace("/etc/prometheus/alerts.yaml", join(monitoring, "alerts.yaml"))
    .replaceAll("15s", "1s");
  expect(text).toContain(target);
  const file = join(folder, "prometheus.yaml");
  writeFileSync(file, text);
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/tsdb`];
  const { child, port } = await startOnSomePort(
    (own) => spawn("prometheus", [...flags, `--web.listen-address=127.0.0.1:${own}`], { stdio: "ignore" }),
    async (own) => (await fetch(`http://127.0.0.1:${own}/-/ready`)).ok,
  );
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const ask: Ask = async (path, query) => {
    const body = query === undefined ? null : new URLSearchParams({ query });
    const method = body === null ? "GET" : "POST";
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { method, body });
    const { status, data, error } = JSON.parse(await response.text());
    if (status !== "success") throw new Error(`${path} ${query}: ${error}`);
    return data;
  };
  return ask;
}

/** Makes calls that succeed, that fail, that cause deliveries, and requests that the service does not take. */
async function worker({ access }: RunningServer): Promise<() => Promise<void>> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { accountId, accountNumber } = access.samples;
  const client = contractClient(access.baseUrl, access);
  onTestFinished(() => client.close());
  const made = await client.flat({
    name: "All",
    callbackUrl: receiver.url,
    events: ["Account.UPDATE"],
    groupId: [accountNumber],
  });
  expect(made.error).toBeUndefined();
  let isActive = true;
  return async () => {
    isActive = !isActive;
    const answers = await Promise.all([
      client.call("AccountService.GetAccount", { ID: accountId }),
      client.call("AccountService.GetAccount", { ID: "nobody" }),
      client.call("AccountService.UpdateAccountStatus", {
        accountNumber,
        status: isActive ? "ACTIVE" : "SUSPENDED",
      }),
    ]);
    expect(answers.map(({ error }) => error === undefined)).toEqual([true, false, true]);
  };
}
