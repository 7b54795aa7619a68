import assert from "node:assert/strict";
import { test } from "node:test";
import { testService, type TestPeer } from "ledger-rpc-runtime/testing";
import { PROJECT_CAMELInterface } from "../generated/methods.ts";
import { tokenFor, userScheme } from "../src/auth.ts";
import { PROJECT_CAMELHandlers } from "../src/handlers/index.ts";
import { createTasks } from "../src/tasks.ts";

const secret = "a secret of at least thirty-two bytes";

/** The service in this process, called with a token, or without. */
function service(token?: string): TestPeer {
  const tasks = createTasks();
  return testService(PROJECT_CAMELInterface, PROJECT_CAMELHandlers, {
    auth: { user: userScheme(secret) },
    context: () => ({ tasks }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}

test("a caller with a token adds tasks and lists them", async () => {
  const { call } = service(await tokenFor("ann", secret));
  const milk = { id: 1, title: "Buy milk", state: "open" };
  assert.deepEqual(await call("add", ["Buy milk"]), milk);
  assert.deepEqual(await call("list", [null]), [milk]);
});

test("callers without a token, or with one of another issuer, are refused alike", async () => {
  const without = await errorOf(service());
  const foreign = await errorOf(service(await tokenFor("eve", `another ${secret}`)));
  assert.deepEqual(foreign, without);
});

async function errorOf({ call }: TestPeer): Promise<unknown> {
  try {
    await call("list", [null]);
  } catch (error) {
    const { code, message } = Object(error);
    return { code, message };
  }
  throw new Error("the call was taken");
}
