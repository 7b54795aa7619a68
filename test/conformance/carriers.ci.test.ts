import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunReport } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { startService } from "../../runtime/service/index.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import type { AnyHandlers } from "../../runtime/index.ts";
import { carriedTasks, dialect } from "./standard/describe.ts";
import { accessTo, handlers, verifiers } from "./standard/service.ts";

const tasks = carriedTasks();
const { suite } = tasks;
/** An answer comes when it comes: a busy machine is no fault of the service. */

function failed({ outcomes }: RunReport): readonly string[] {
  return outcomes
    .filter(({ status }) => status === "failed" || status === "broken")
    .map(({ id, reason, findings }) =>
      [id, reason ?? "", ...findings.map(({ expected, found }) => `${expected}; found ${found}`)].join(" | "),
    );
}

async function overWebSocket(
  served: AnyHandlers<typeof handlers> = handlers,
  only?: string,
  { suite: tried, descriptor } = tasks,
): Promise<RunReport> {
  const service = startService(descriptor, { ...served }, { auth: verifiers, onFailure: () => undefined });
  const server = createServer().listen(0, "127.0.0.1");
  const endpoint = rpcWebSocket(service);
  endpoint.attach(server);
  await once(server, "listening");
  const address = server.address();
  const baseUrl = `ws://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  try {
    const part = only === undefined ? {} : { only: [only] };
    const trial = { level: "strict", seed: 1, ...part } as const;
    const options = { access: accessTo(baseUrl), baseUrl, ...trial };
    return await conform({ ...tried, ...options });
  } finally {
    await endpoint.close();
    server.close();
  }
}

test("a right service gets no blame over WebSocket, and what is of HTTP is skipped with the reason", async () => {
  const report = await overWebSocket();
  expect(failed(report)).toEqual([]);
  const passed = report.outcomes.filter(({ status }) => status === "passed");
  expect(passed.length).toBeGreaterThan(200);
  const reasons = new Set(
    report.outcomes.flatMap(({ status, reason }) => (status === "skipped" ? [reason] : [])),
  );
  expect([...reasons].toSorted()).toEqual([
    "credentials are tried over HTTP: here a whole connection has them",
    "it is about HTTP",
    "needs credentials.machine.expired, which the access file does not have",
    "needs credentials.proxied.expiredPem, which the access file does not have",
  ]);
});

test("a right service that speaks a dialect gets no blame over WebSocket", async () => {
  const report = await overWebSocket(handlers, undefined, carriedTasks(dialect));
  expect(failed(report)).toEqual([]);
  expect(report.outcomes.filter(({ status }) => status === "passed").length).toBeGreaterThan(200);
});

test("a service that does otherwise over WebSocket is found", async () => {
  const [name = ""] = Object.keys(handlers);
  const report = await overWebSocket({ ...handlers, [name]: async () => ({ wrong: true }) }, name);
  expect(failed(report)).not.toEqual([]);
});

test("a right service gets no blame over standard input and output", async () => {
  const script = join(import.meta.dirname, "standard/stdio-service.ts");
  const baseUrl = `stdio:"${process.execPath}" "${script}"`;
  // The rest was tried over the other two.
  const only = ["list", "add", "rename", "profile"];
  const trial = { level: "strict", seed: 1, only } as const;
  const options = { access: accessTo(baseUrl), baseUrl, ...trial };
  const report = await conform({ ...suite, ...options });
  expect(failed(report)).toEqual([]);
  expect(report.outcomes.filter(({ status }) => status === "passed").length).toBeGreaterThan(30);
});
