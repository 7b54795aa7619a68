import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repository, walks, type Hop } from "../docs/walks.ts";
import { createProject, linkRepository } from "../e2e-generator/project.ts";
import { contractClient } from "./contract-client.ts";
import { startReceiver } from "./receiver.ts";
import { startServer, type RunningServer } from "./server.ts";

const coverageDir = mkdtempSync(join(tmpdir(), "ledger-walks-"));
let calls: CalledFunctions;

/** V8's own account of which functions a process has called, written when it ends. */
beforeAll(async () => {
  const dataDir = join(coverageDir, "data");
  const server = await startServer(dataDir, { NODE_V8_COVERAGE: coverageDir });
  await updateShareHolder(server);
  await notify(server);
  expect(await server.stop()).toBe(0);
  const project = createProject(join(repository, "test/cases/weather"));
  linkRepository(project);
  const run = await project.run(["generate"], { NODE_V8_COVERAGE: coverageDir });
  expect(run.stderr).toBe("");
  project.dispose();
  calls = readCalls();
});
afterAll(() => rmSync(coverageDir, { recursive: true }));

async function updateShareHolder({ access }: RunningServer): Promise<void> {
  const client = contractClient(access.baseUrl, access);
  const { error } = await client.call("CustomerService.UpdateShareHolder", {
    Id: access.samples.shareHolderId,
    customerId: access.samples.businessCustomerId,
    name: "Tomas B. Berg",
    identification: { type: "SSN", value: "900112233" },
    contact: { phoneNumber: "+14155550199", email: "berg@northwind.example" },
    address: { country: "US", addressLine1: "12 Pine Street", city: "Oakland", state: "CA", zip: "94607" },
    Status: "DISABLED",
  });
  client.close();
  expect(error).toBeUndefined();
}

async function notify({ access }: RunningServer): Promise<void> {
  const client = contractClient(access.baseUrl, access);
  const receiver = await startReceiver();
  const { accountNumber } = access.samples;
  const { subscriptionId } = await client.flat({
    name: "Treasury",
    callbackUrl: receiver.url,
    events: ["Account.UPDATE"],
    groupId: [accountNumber],
  });
  await client.call("AccountService.UpdateAccountStatus", { accountNumber, status: "SUSPENDED" });
  await receiver.until(1);
  // Not claimed with its event: the claim loop finds it in the store.
  const operator = contractClient(access.operatorUrl, access.operator);
  await operator.call("SendTestEvent", { subscriptionId });
  await receiver.until(2);
  operator.close();
  client.close();
  await receiver.close();
}

test.for([...walks])("each function of the walk is called: %s", ([, hops]) => {
  expect(hops.filter((hop) => !isCalled(hop))).toEqual([]);
});

test("there are three walks", () => {
  expect([...walks.keys()]).toEqual(["A generate run", "A signed request", "An event"]);
});

type CalledFunctions = ReadonlyMap<string, ReadonlySet<string>>;

function isCalled({ path, name }: Hop): boolean {
  return calls.get(pathToFileURL(join(repository, path)).href)?.has(name) === true;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

function readCalls(): CalledFunctions {
  const called = new Map<string, Set<string>>();
  for (const file of readdirSync(coverageDir).filter((name) => name.endsWith(".json"))) {
    const { result }: Coverage = JSON.parse(readFileSync(join(coverageDir, file), "utf8"));
    for (const { url, functions } of result) {
      const names = called.get(url) ?? new Set();
      called.set(url, names);
      for (const { functionName, ranges } of functions)
        if ((ranges[0]?.count ?? 0) > 0) names.add(functionName);
    }
  }
  return called;
}
