import { expect, inject, test } from "vitest";
import { omitUndefined } from "../../runtime/contract/index.ts";
import { createConnections } from "../../runtime/store/postgres/connections.ts";

test("a connection that the server ends between two questions ends no process", async () => {
  const options = { poolSize: 1, statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 };
  const url = `${inject("postgresUrl")}postgres`;
  const [connections, others] = [createConnections(url, options), createConnections(url, options)];
  const [session, other] = [await connections.session(), await others.session()];
  const [[pid = null] = []] = await session.rows("SELECT pg_backend_pid()", []);
  expect(await other.rows("SELECT pg_terminate_backend($1, 10000)", [pid])).toEqual([["t"]]);
  // An error event without a listener throws: in a service as an uncaught exception.
  const failure = await session.rows("SELECT 1", []).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  session.release(failure);
  other.release();
  await Promise.all([connections.close(), others.close()]);
});

test("a session has the limits of its settings, and the name by which a server's operator finds it", async () => {
  const options = { poolSize: 1, statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 };
  const url = `${inject("postgresUrl")}postgres`;
  for (const [lockWaitMs, lockTimeout] of [
    [undefined, "5s"],
    [1_500, "1500ms"],
  ] as const) {
    const connections = createConnections(url, { ...options, ...omitUndefined({ lockWaitMs }) });
    const session = await connections.session();
    const shown = async (name: string) => (await session.rows(`SHOW ${name}`, []))[0]?.[0];
    expect({
      statement: await shown("statement_timeout"),
      lock: await shown("lock_timeout"),
      idle: await shown("idle_in_transaction_session_timeout"),
      name: await shown("application_name"),
      plans: [await shown("enable_seqscan"), await shown("jit")],
    }).toEqual({
      statement: "10s",
      lock: lockTimeout,
      idle: "1min",
      name: "ledger-rpc",
      plans: ["off", "off"],
    });
    session.release();
    await connections.close();
  }
});
