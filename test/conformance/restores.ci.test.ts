import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Access } from "../../conformance/index.ts";
import { startFaultyServer, type FaultyServer } from "../faults/faulty-server.ts";
import {
  atWork,
  failingAfterEach,
  foundByFailing,
  ofSteps,
  scenarios,
  triedScenarios,
} from "./failing-steps.ts";

let server: FaultyServer;
let caller: Access;

beforeAll(async () => {
  server = await startFaultyServer(undefined);
  const { operator: _operator, operatorUrl: _url, ...alone } = server.access;
  caller = alone;
});
afterAll(() => server.stop());

const [customerId, repId, number] = ["{{businessCustomerId}}", "{{legalRepId}}", "{{accountNumber}}"];
const add = { kind: "call", method: "CustomerService.AddAccount", base: "business minimal" } as const;
const update = { kind: "call", method: "CustomerService.UpdateCustomer" } as const;
const setRep = { kind: "call", method: "CustomerService.UpdateLegalRepStatus" } as const;
const setStatus = { kind: "call", method: "AccountService.UpdateAccountStatus" } as const;
const read = { kind: "call", method: "AccountService.GetAccount" } as const;
const withRep = { legalReps: [{ ID: repId, name: "Johanna Lindqvist" }] };

/** The customer of the access file, as an update answers that changes nothing. */
async function customer(): Promise<object> {
  const name = "{{read.account.customerName}}";
  const look = ofSteps(
    "look",
    { ...add, as: "account" },
    { ...read, payload: { ID: "{{account.ID}}" }, as: "read" },
    { ...update, payload: { ID: customerId, businessNameLegal: name } },
  );
  const { last } = await triedScenarios([look], caller);
  const { updatedDate: _when, ...record } = Object(last).result;
  return record;
}

const changing = ["customer-update", "legal-representative-status", "shareholder-update"];

test("scenarios that fail after any of their steps leave the customer as it was, and no other scenario fails by it", async () => {
  const broken = scenarios.filter(({ name }) => changing.includes(name)).flatMap(failingAfterEach);
  const before = await customer();
  expect(before).toMatchObject({ ID: caller.samples?.["businessCustomerId"] });
  for (const failuresMax of [Infinity, 3]) {
    const { outcomes } = await triedScenarios(broken, caller, { failuresMax });
    expect(outcomes.filter(({ status }) => status === "failed").length).toBeGreaterThan(2);
    expect(
      outcomes.flatMap(({ id, status, findings }) =>
        status === "failed" && findings[0]?.found !== foundByFailing ? [[id, findings[0]]] : [],
      ),
    ).toEqual([]);
    expect(await customer()).toEqual(before);
  }
  // The representative is ACTIVE, as before: an account takes them.
  const { outcomes } = await triedScenarios([ofSteps("take", { ...add, with: withRep })], caller);
  expect(outcomes.map(({ status }) => status)).toEqual(["passed"]);
});

test("a service is not blamed for samples that are not ACTIVE, and they stay so", async () => {
  const statusOf = (status: string) => ({ ...setStatus, payload: { accountNumber: number, status } });
  const suspend = ofSteps("suspend", statusOf("SUSPENDED"), {
    ...setRep,
    payload: { ID: repId, Status: "INACTIVE" },
  });
  await triedScenarios([suspend], caller, { isPreparing: true });
  try {
    const names = [
      "opened-once",
      "account-with-legal-representative",
      "account-under-a-pool",
      "beneficiaries",
    ];
    const { outcomes } = await triedScenarios(
      scenarios.filter(({ name }) => names.includes(name)),
      caller,
    );
    expect(outcomes.flatMap(({ status, findings }) => [status, ...findings])).toEqual(
      names.map(() => "passed"),
    );
    const still = ofSteps(
      "still",
      { ...read, payload: { ID: "{{accountId}}" }, expect: { account: { status: "SUSPENDED" } } },
      { ...add, with: withRep, error: "CONFLICT" },
    );
    const { outcomes: after } = await triedScenarios([still], caller, { isPreparing: true });
    expect(after.map(({ status }) => status)).toEqual(["passed"]);
  } finally {
    await triedScenarios(
      [ofSteps("again", statusOf("ACTIVE"), { ...setRep, payload: { ID: repId, Status: "ACTIVE" } })],
      caller,
      { isPreparing: true },
    );
  }
});

test("nothing that a run makes stays at work, also after failures and where the run ends early", async () => {
  const before = atWork(server);
  const making = [
    "device-registration",
    "beneficiaries-of-operator",
    "subscriptions-are-new",
    "account-update-event",
  ];
  const tried = scenarios.filter(({ name }) => making.includes(name));
  for (const failuresMax of [Infinity, 2]) {
    const { outcomes } = await triedScenarios(tried.flatMap(failingAfterEach), server.access, {
      mailFolder: server.mailFolder,
      failuresMax,
    });
    expect(outcomes.filter(({ status }) => status === "failed").length).toBeGreaterThan(1);
    expect(atWork(server)).toEqual(before);
  }
});

test("an interrupted run waits for nothing, takes away what it made, and puts the customer back", async () => {
  const [before, customerBefore] = [atWork(server), await customer()];
  const tried = scenarios.filter(({ name }) =>
    [...changing, "refused-notification-comes-again"].includes(name),
  );
  for (const answers of [3, 8, 13]) {
    const controller = new AbortController();
    let left = answers;
    const { outcomes } = await triedScenarios(tried, server.access, {
      mailFolder: server.mailFolder,
      signal: controller.signal,
      onAnswer() {
        left -= 1;
        if (left === 0) controller.abort();
      },
    });
    expect(outcomes.map(({ status, reason }) => reason ?? status)).toContain("the run was interrupted");
    expect(atWork(server)).toEqual(before);
    expect(await customer()).toEqual(customerBefore);
  }
});

test("Ctrl-C ends a run with exit code 2, and nothing stays", async () => {
  const before = atWork(server);
  const access = join(dirname(server.mailFolder), "access.json");
  const args = [
    "generator/cli/main.ts",
    "conform",
    "--access",
    access,
    "--operation",
    "scenario/",
    "--trace",
  ];
  const run = spawn(process.execPath, args, { cwd: join(import.meta.dirname, "../.."), stdio: "pipe" });
  let noted = "";
  run.stderr.on("data", (chunk: Buffer) => {
    const wasThere = noted.includes("subscriptionId");
    noted += chunk.toString();
    // A second signal would end it at once.
    if (!wasThere && noted.includes("subscriptionId")) run.kill("SIGINT");
  });
  let printed = "";
  run.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = await once(run, "close");
  expect({ code, printed }).toEqual({
    code: 2,
    printed: expect.stringContaining("no verdict: the run was interrupted"),
  });
  expect(noted).toContain("interrupted: takes away what the run made");
  expect(atWork(server)).toEqual(before);
});
