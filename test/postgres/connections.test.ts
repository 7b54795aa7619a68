import { expect, inject, test } from "vitest";
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
