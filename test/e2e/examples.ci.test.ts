import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedDemo, type Access } from "../../ledger/seed/index.ts";
import { compose, type Service } from "../../runtime/server/index.ts";
import { loadConfig } from "../../runtime/operations/config/index.ts";
import { modelOf } from "../vectors/models.ts";
import { contractClient } from "./contract-client.ts";
import { application } from "../../ledger/application.ts";

const folder = mkdtempSync(join(tmpdir(), "examples-"));
const fresh = join(folder, "fresh");
let access: Access;

function sandbox(dataDir: string): Promise<Service> {
  const config = loadConfig(application, {
    LEDGER_DATA_DIR: dataDir,
    PORT: "0",
    OPERATOR_PORT: "0",
    LEDGER_PARTNER_INTERFACE: "on",
  });
  return compose(application, { config, logger: pino({ level: "silent" }), migrate: true });
}

beforeAll(async () => {
  const service = await sandbox(fresh);
  access = await seedDemo(service);
  await service.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const interfaces = ["ledger", "operator", "partner"] as const;
const printed = interfaces.flatMap((name) =>
  modelOf(`spec/${name}`).methods.flatMap((method) =>
    method.examples.map((example) => ({
      name,
      method,
      example,
      title: `${name} ${method.name}: ${example.name}`,
    })),
  ),
);

type Printed = (typeof printed)[number];

/**
 * The answers to printed values that no other service takes: it seals challenges and draws tokens itself, and a proposal needs
 * a second operator.
 */
const proofs: Readonly<Record<string, string>> = {
  "operator ApproveProposal": "CONFLICT",
  "partner RegisterKey": "BAD_INPUT",
  "partner AcceptInvitation": "CONFLICT",
};
const titleOf = ({ name, method }: Printed): string => `${name} ${method.name}`;

/** Examples that change the sandbox have one of their own; the others share one. */
const changes = ({ method, example }: Printed): boolean =>
  method.effect !== "read" && example.error === undefined;

/** The partner's interface is on the port of the documented one. */
function urlOf(urls: Urls, name: Printed["name"]): string {
  return name === "partner" ? `${urls.get("ledger")}/partner` : (urls.get(name) ?? "");
}

async function answerTo(urls: Urls, { name, method, example }: Printed): Promise<string> {
  const client = contractClient(urlOf(urls, name), name === "operator" ? access.operator : access);
  try {
    const isFlat = method.transport.kind === "flat";
    const { error } = await (isFlat
      ? client.flat(example.payload)
      : client.call(method.name, example.payload));
    return error?.code ?? "success";
  } finally {
    client.close();
  }
}

type Urls = ReadonlyMap<string, string>;

async function onCopy<R>(use: (urls: Urls) => Promise<R>): Promise<R> {
  const dataDir = mkdtempSync(join(folder, "copy-"));
  cpSync(fresh, dataDir, { recursive: true });
  const service = await sandbox(dataDir);
  const listening = await service.listen();
  return use(listening.urls).finally(() => listening.close());
}

describe("examples of all interfaces, as printed, on a fresh sandbox", () => {
  test("those that change nothing", async () => {
    const reading = printed.filter((each) => !changes(each));
    const answers = await onCopy(async (urls) => {
      const given: (readonly [string, string])[] = [];
      for (const each of reading) given.push([each.title, await answerTo(urls, each)]);
      return given;
    });
    const wrong = reading.flatMap(({ title, example }, at) => {
      const answer = answers[at]?.[1];
      return answer === (example.error ?? "success") ? [] : [`${title}: ${answer}`];
    });
    expect(wrong).toEqual([]);
  });

  test("those whose proof or token cannot be printed say so", async () => {
    for (const each of printed.filter((one) => titleOf(one) in proofs))
      if (changes(each)) expect(await onCopy((urls) => answerTo(urls, each))).toBe(proofs[titleOf(each)]);
  });

  test.for(printed.filter((each) => changes(each) && !(titleOf(each) in proofs)))("$title", async (each) => {
    expect(await onCopy((urls) => answerTo(urls, each))).toBe("success");
  });
});

test.each(interfaces)("every example of the exports of %s is one of those", (name) => {
  const text = readFileSync(join(import.meta.dirname, `../../generated/${name}/openrpc.json`), "utf8");
  const exported: { methods: readonly { name: string; examples: readonly { name: string }[] }[] } =
    JSON.parse(text);
  expect(
    exported.methods.flatMap((method) =>
      method.examples.map((each) => `${name} ${method.name}: ${each.name}`),
    ),
  ).toEqual(printed.filter((each) => each.name === name).map(({ title }) => title));
});
