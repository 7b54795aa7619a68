import assert from "node:assert/strict";
import { test } from "node:test";
import { testService, type TestPeer } from "ledger-rpc-runtime/testing";
import { plainInterface } from "../generated/methods.ts";
import { plainHandlers } from "../src/handlers/index.ts";
import { createTasks } from "../src/tasks.ts";

/** The service in this process, with a list of its own. */
function service(): TestPeer {
  const tasks = createTasks();
  return testService(plainInterface, plainHandlers, { context: () => ({ tasks }) });
}

test("a task that was added is listed, and can be finished", async () => {
  const { call } = service();
  const milk = { id: 1, title: "Buy milk", state: "open" };
  assert.deepEqual(await call("add", ["Buy milk"]), milk);
  assert.deepEqual(await call("list", [null]), [milk]);
  assert.deepEqual(await call("finish", { id: 1 }), { ...milk, state: "done" });
  assert.deepEqual(await call("list", { state: "open" }), []);
});

test("a task that is not there cannot be finished", async () => {
  await assert.rejects(service().call("finish", [7]), { code: -32010, message: "There is no such task" });
});

test("params that do not fit the spec are refused before a handler runs", async () => {
  await assert.rejects(service().call("add", [5]), { code: -32602 });
});
