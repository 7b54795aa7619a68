import { expect, inject, test } from "vitest";
import { createConnections } from "../../runtime/storage/postgres/connections.ts";

test("a connection that the server ends between two questions ends no process", async () => {
  const options = { poolSize: 1, statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 };
  const connections = createConnections(`${inject("postgresUrl")}postgres`, options, {
    // An error event without a listener throws: here while the connection is new, in a service as an uncaught exception.
    check: async (client) => void client.emit("error", new Error("terminating connection")),
  });
  const session = await connections.session();
  session.release(new Error("the server has gone"));
  await connections.close();
  expect(session).toBeDefined();
});
