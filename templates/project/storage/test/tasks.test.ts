import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { sqliteStore } from "ledger-rpc-runtime/sqlite";
import { testService, type TestPeer } from "ledger-rpc-runtime/testing";
import { PROJECT_CAMELInterface } from "../generated/methods.ts";
import { PROJECT_CAMELHandlers } from "../src/handlers/index.ts";
import { createTasks } from "../src/tasks.ts";

/** The service in this process, with a database of its own in memory. */
function service(headers: Readonly<Record<string, string>> = {}): TestPeer {
  const db = new DatabaseSync(":memory:");
  const tasks = createTasks(db);
  const store = sqliteStore(db, { ownerOf: () => "everyone" });
  return testService(PROJECT_CAMELInterface, PROJECT_CAMELHandlers, {
    context: () => ({ tasks }),
    store,
    headers,
  });
}

test("a task that was added is listed, and can be finished", async () => {
  const { call } = service();
  const milk = { id: 1, title: "Buy milk", state: "open" };
  assert.deepEqual(await call("add", ["Buy milk"]), milk);
  assert.deepEqual(await call("list", [null]), [milk]);
  assert.deepEqual(await call("finish", { id: 1 }), { ...milk, state: "done" });
  assert.deepEqual(await call("list", { state: "open" }), []);
  await assert.rejects(call("finish", [7]), { code: -32010, message: "There is no such task" });
});

test("a call that is sent again with the same Idempotency-Key is carried out once", async () => {
  const { call } = service({ "Idempotency-Key": "4f1c" });
  const first = await call("add", ["Buy milk"]);
  assert.deepEqual(await call("add", ["Buy milk"]), first);
  assert.deepEqual(await call("list", [null]), [first]);
});
