import { expect, test } from "vitest";
import type { RunReport } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { textReport } from "../../conformance/report/text.ts";
import { rpcHandler } from "../../runtime/transport/http/endpoint.ts";
import { RpcError } from "../../runtime/contract/index.ts";
import { startService } from "../../runtime/service/index.ts";
import { describedBy, dialect, tasksYaml, type StandardInterface } from "./standard/describe.ts";
import { missed, standardFaults } from "./standard/faults.ts";
import { accessTo, handlers, started, verifiers } from "./standard/service.ts";
import { failuresWith } from "./standard/try-fault.ts";

const tasks = describedBy(tasksYaml);
/** The other choices of the protocol. */
const mapped = describedBy(
  tasksYaml
    .replace("status: ok, notified: 204", "status: mapped, notified: 202")
    .replace("batch: { max: 10 }", "batch: false"),
);

const inDialect = describedBy(tasksYaml, dialect);
const inVersionedDialect = describedBy(tasksYaml, { ...dialect, version: { member: "v", value: "3" } });

async function tried({ suite, descriptor }: StandardInterface): Promise<RunReport> {
  const service = startService(descriptor, handlers, { auth: verifiers, onFailure: () => undefined });
  const { baseUrl, close } = await started(rpcHandler(service));
  try {
    return await conform({
      ...suite,
      access: accessTo(baseUrl),
      baseUrl,
      level: "strict",
      seed: 1,
    });
  } finally {
    close();
  }
}

const asIs = (text: string): string => text;
const plain = { bold: asIs, dim: asIs, red: asIs, green: asIs, yellow: asIs };

/** What did not pass, and why. */
function blame({ outcomes }: RunReport): readonly string[] {
  return outcomes
    .filter(({ status }) => status === "failed" || status === "broken")
    .map(({ id, reason, findings }) =>
      [id, reason ?? "", ...findings.map(({ expected, found }) => `${expected}; found ${found}`)].join(" | "),
    );
}

test.each([
  ["that answers with 200", tasks],
  ["that maps statuses and takes no batches", mapped],
  ["that speaks a dialect", inDialect],
  ["that speaks a dialect with a version", inVersionedDialect],
])("a right service %s gets no blame", async (_name, described) => {
  const report = await tried(described);
  expect(blame(report)).toEqual([]);
  expect(report.outcomes.filter(({ status }) => status === "passed").length).toBeGreaterThan(250);
  const skipped = report.outcomes.filter(({ status }) => status === "skipped");
  expect(skipped.map(({ id }) => id)).toEqual([
    "add/authentication/machine+signed-machine-expired",
    "rename/authentication/proxied-expired",
  ]);
});

test("a service that does not speak the dialect fails every case", async () => {
  const { outcomes } = await tried({ ...inDialect, descriptor: tasks.descriptor });
  expect(outcomes.filter(({ status }) => status === "passed")).toEqual([]);
});

test("a method may answer values that fit with an error that it declares", async () => {
  const full = async () => {
    throw new RpcError("FULL");
  };
  const service = startService(tasks.descriptor, { ...handlers, add: full }, { auth: verifiers });
  const { baseUrl, close } = await started(rpcHandler(service));
  try {
    const options = {
      access: accessTo(baseUrl),
      baseUrl,
      level: "strict",
      only: ["add"],
    } as const;
    const report = await conform({ ...tasks.suite, ...options });
    expect(blame(report)).toEqual([]);
    const results = report.outcomes.filter(({ id }) => id.endsWith("/results"));
    expect(results.map(({ id, status }) => [id, status])).toEqual([["add/results", "skipped"]]);
    expect(textReport(report, { paint: plain, failuresMax: 1 })).toContain(
      "conforms at level strict, as far as it was tried: no result of add was checked, only errors were answered",
    );
  } finally {
    close();
  }
});

test("a service is not blamed where the only method answers every call with an error that it declares", async () => {
  const [head = "", rest = ""] = tasksYaml.split("methods:\n");
  const list = /  list:\n(?: {4,}.*\n)+/.exec(rest)?.[0] ?? "";
  const alone = `${head}methods:\n${list}    errors: { FULL: {} }\n${rest.slice(rest.indexOf("errors:\n  FULL"))}`;
  const described = describedBy(alone);
  const full = async () => {
    throw new RpcError("FULL");
  };
  const service = startService(described.descriptor, { list: full }, { auth: verifiers });
  const { baseUrl, close } = await started(rpcHandler(service));
  try {
    const report = await conform({
      ...described.suite,
      access: accessTo(baseUrl),
      baseUrl,
      level: "strict",
    });
    expect(blame(report)).toEqual([]);
    expect(report.outcomes.length).toBeGreaterThan(50);
  } finally {
    close();
  }
});

test("cases that need a credential which nobody gave are skipped", async () => {
  const service = startService(tasks.descriptor, handlers, { auth: verifiers, onFailure: () => undefined });
  const { baseUrl, close } = await started(rpcHandler(service));
  try {
    const access = { ...accessTo(baseUrl), credentials: {} };
    const report = await conform({
      ...tasks.suite,
      access,
      baseUrl,
      only: ["rename", "profile"],
    });
    expect(blame(report)).toEqual([]);
    const alone = report.outcomes.find(({ id }) => id === "rename/authentication/sealed");
    expect(alone?.reason).toBe("needs credentials.sealed, which the access file does not have");
    expect(report.outcomes.find(({ id }) => id === "rename/authentication/none")?.status).toBe("passed");
    expect(textReport(report, { paint: plain, failuresMax: 1 })).toMatch(
      /conforms at level decisions, as far as it was tried: \d+ of \d+ cases were skipped$/,
    );
  } finally {
    close();
  }
});

test("60 faults of the protocol and of authentication have a switch each", () => {
  const ids = standardFaults.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length - missed.length).toBeGreaterThanOrEqual(60);
});

/** The others have their turn in `standard-faults.nightly.test.ts`. */
const sampled = standardFaults.filter(({ id }) =>
  ["notification-answered", "id-as-text", "jwt-alg-none", "hmac-body"].includes(id),
);

test.each(sampled)("$id is caught", async (fault) => {
  expect(await failuresWith(fault)).not.toEqual([]);
});
