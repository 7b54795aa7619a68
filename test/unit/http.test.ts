import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { createMetrics } from "../../runtime/operations/http/index.ts";
import type { Pipeline } from "../../runtime/pipeline/index.ts";
import {
  answering,
  call,
  dial,
  dialled,
  done,
  heldPipeline,
  patienceMs,
  serve,
  until,
} from "./http-harness.ts";

describe("shutdown", () => {
  test("answers what arrives on open connections, takes no new connection", async () => {
    const { pipeline, arrived, release, waiting } = heldPipeline();
    const { service } = await serve({ pipeline });
    const busy = await dial(service.port);
    const idle = await dial(service.port);
    idle.socket.write("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n");
    await idle.until("ok\n");
    const second = await dial(service.port);
    second.socket.write(call("{}").slice(0, -1));
    busy.socket.write(call("{}"));
    await arrived;

    // However busy the machine is. Dialled without a pause, the port would go on accepting for a thousand turns.
    const closed = service.close(patienceMs);
    await expect.poll(() => dialled(service.port)).toBe("refused");
    second.socket.write("}");
    await until(() => waiting() === 2);
    release();
    await expect(closed).resolves.toEqual({ answered: 2, cut: 0 });
    await Promise.all([busy.until('{"done":true}'), second.until('{"done":true}')]);
    expect(busy.received()).toContain("Connection: close");
    expect(second.received()).toContain("Connection: close");
  });

  test("cuts off what is not done when the grace is over", async () => {
    const { pipeline, arrived } = heldPipeline();
    const { service } = await serve({ pipeline });
    const busy = await dial(service.port);
    busy.socket.write(call("{}"));
    await arrived;
    const gone = once(busy.socket, "close");
    await expect(service.close(10)).resolves.toEqual({ answered: 0, cut: 1 });
    await gone;
    expect(busy.received()).toBe("");
  });
});

describe("health", () => {
  test("not ready while the store does not answer, alive all the same", async () => {
    const { service } = await serve({
      pipeline: answering,
      ready: () => Promise.reject(new Error("no store")),
    });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });

  test("metrics count calls by operation and code, whatever else is sent", async () => {
    const { service } = await serve({ pipeline: answering });
    await fetch(`${service.url}/rpc`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    await fetch(`${service.url}/x${"y".repeat(50)}`);
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).toContain('ledger_rpc_requests_total{interface="test",method="Do",code="OK"} 1');
    expect(text).toContain('ledger_rpc_request_seconds_count{interface="test",method="Do"} 1');
    expect(text).toContain('ledger_rpc_connections_open{interface="test"}');
    expect(text).not.toContain("yyy");
  });

  test("metrics that are asked for while others are made are made once, and show what came before", async () => {
    const metrics = createMetrics();
    const [begun, backlog] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
    let made = 0;
    metrics.showStore(() => {
      made += 1;
      return { kind: "well" };
    });
    metrics.showBacklog(() => {
      begun.resolve();
      return backlog.promise;
    });
    const first = metrics.text();
    await begun.promise;
    metrics.answered({ interfaceName: "test", method: "Do", seconds: 0 });
    const later = Array.from({ length: 10 }, () => metrics.text());
    backlog.reject(new Error("the store does not answer"));
    await first;
    for (const text of await Promise.all(later))
      expect(text).toContain('ledger_rpc_requests_total{interface="test",method="Do",code="OK"} 1');
    expect(made).toBe(2);
  });

  test("metrics show the backlog, in seconds and by state", async () => {
    const metrics = createMetrics();
    metrics.showBacklog(async () => ({
      events: 1,
      laneEvents: 2,
      usersAtLimit: 3,
      deliveries: { PENDING: 4, DEAD: 5 },
      mails: { FAILED: 6 },
      outboxLagMs: 7000,
      oldestPendingMs: 8000,
      oldestMailMs: 9000,
    }));
    const lines = (await metrics.text()).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "ledger_rpc_outbox_events 1",
        "ledger_rpc_lane_events 2",
        "ledger_rpc_users_at_limit 3",
        'ledger_rpc_deliveries{state="PENDING"} 4',
        'ledger_rpc_deliveries{state="DEAD"} 5',
        'ledger_rpc_mails{state="FAILED"} 6',
        "ledger_rpc_outbox_lag_seconds 7",
        "ledger_rpc_delivery_oldest_pending_seconds 8",
        "ledger_rpc_mail_oldest_pending_seconds 9",
      ]),
    );
  });

  test("further pages stand before the 404", async () => {
    const { service } = await serve({
      pipeline: answering,
      addRoutes: (app) => app.get("/page", (_request, response) => void response.send("a page")),
    });
    expect(await (await fetch(`${service.url}/page`)).text()).toBe("a page");
    expect((await fetch(`${service.url}/other`)).status).toBe(404);
  });

  test("a page that fails is a logged 500, a URL that is none a 400", async () => {
    const { service, lines } = await serve({
      pipeline: answering,
      addRoutes: (app) =>
        app.get("/page/:name", () => {
          throw new Error("broken page");
        }),
    });
    expect((await fetch(`${service.url}/page/x`)).status).toBe(500);
    expect(lines.join("")).toContain("broken page");
    expect((await fetch(`${service.url}/page/%E0%A4%A`)).status).toBe(400);
  });
});

test.each([
  ["x".repeat(64), true],
  ["x".repeat(65), false],
  ["Aa0._:-", true],
  ["a b", false],
])(
  "an answer is not stored, not guessed at, and bears the request's id where that is sane: %s",
  async (id, isKept) => {
    const { service } = await serve({ pipeline: answering });
    const headers = { "content-type": "application/json", "x-request-id": id };
    const { headers: got } = await fetch(`${service.url}/rpc`, { method: "POST", body: "{}", headers });
    expect(got.get("x-request-id") === id).toBe(isKept);
    expect(got.get("x-request-id")).toMatch(/^[A-Za-z0-9._:-]{1,64}$/);
    expect(got.get("cache-control")).toBe("no-store");
    expect(got.get("x-content-type-options")).toBe("nosniff");
  },
);

describe("the log line of a call", () => {
  test("names the request and its outcome, never what was sent", async () => {
    const { service, lines } = await serve({ pipeline: answering });
    const headers = {
      "content-type": "application/json",
      "x-request-id": "req-7",
      authorization: "Basic c2VjcmV0",
    };
    await fetch(`${service.url}/rpc`, { method: "POST", body: '{"Otp":"123456"}', headers });
    const line: unknown = JSON.parse(lines[0] ?? "");
    expect(line).toEqual({
      level: 30,
      requestId: "req-7",
      method: "Do",
      status: 200,
      ms: expect.any(Number),
      msg: "answered",
    });
  });
});

describe("connections", () => {
  test("pipelined calls are answered in order", async () => {
    let count = 0;
    const pipeline: Pipeline = {
      ...answering,
      answer: () => Promise.resolve({ ...done, body: `{"n":${(count += 1)}}` }),
    };
    const { service } = await serve({ pipeline });
    const { socket, until, received } = await dial(service.port);
    socket.write(call("{}") + call("{}") + call("{}"));
    await until('{"n":3}');
    expect(received().match(/\{"n":\d\}/g)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
  });

  test("a caller that goes away in the middle of a body is noted, and nobody else notices", async () => {
    const { service, lines } = await serve({ pipeline: answering });
    const { socket } = await dial(service.port);
    socket.write(
      "POST /rpc HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    await until(() => service.connections() === 1);
    socket.destroy();
    await until(() => lines.length > 0);
    expect(lines.join("")).toContain("caller closed the connection");
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });

  test("headers that trickle in are not waited for", async () => {
    const { service } = await serve({
      pipeline: answering,
      limits: { headersTimeoutMs: 50, requestTimeoutMs: 100, sweepEveryMs: 10 },
    });
    const { socket, until } = await dial(service.port);
    socket.write("POST /rpc HTTP/1.1\r\nX-Slow: ");
    await until("408 Request Timeout");
  });

  test("a caller that asks before sending too much is told at once", async () => {
    const { service } = await serve({ pipeline: answering });
    const { socket, until, received } = await dial(service.port);
    socket.write(
      "POST /rpc HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: 999999\r\nExpect: 100-continue\r\n\r\n",
    );
    await until("413 Payload Too Large");
    expect(received()).not.toContain("100 Continue");
  });

  test("a caller that asks before sending little is told to go on", async () => {
    const { service } = await serve({ pipeline: answering });
    const { socket, until } = await dial(service.port);
    socket.write(call("{}", "Expect: 100-continue\r\n").slice(0, -2));
    await until("100 Continue");
    socket.write("{}");
    await until('{"done":true}');
  });

  test("a port that is taken is an error", async () => {
    const { service } = await serve({ pipeline: answering });
    await expect(serve({ pipeline: answering, port: service.port })).rejects.toThrow("EADDRINUSE");
  });
});
