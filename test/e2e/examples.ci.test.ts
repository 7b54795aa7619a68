import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedDemo, type Access } from "../../runtime/seed/index.ts";
import { compose, type Service } from "../../runtime/server/compose.ts";
import { loadConfig } from "../../runtime/server/config.ts";
import { modelOf } from "../vectors/models.ts";
import { contractClient } from "./contract-client.ts";

const folder = mkdtempSync(join(tmpdir(), "examples-"));
const fresh = join(folder, "fresh");
let access: Access;

function sandbox(dataDir: string): Promise<Service> {
  const config = loadConfig({ LEDGER_DATA_DIR: dataDir, PORT: "0", OPERATOR_PORT: "0" });
  return compose({ config, logger: pino({ level: "silent" }), migrate: true });
}

beforeAll(async () => {
  const service = await sandbox(fresh);
  access = await seedDemo(service);
  await service.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const ledger = modelOf("spec/ledger");
const printed = ledger.methods.flatMap((method) =>
  method.examples.map((example) => ({ method, example, title: `${method.name}: ${example.name}` })),
);

type Printed = (typeof printed)[number];

/** What changes the sandbox has one of its own; the others share one. */
const changes = ({ method, example }: Printed): boolean =>
  method.effect !== "read" && example.error === undefined;

async function answerTo(url: string, { method, example }: Printed): Promise<string> {
  const client = contractClient(url, access);
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

async function onCopy<R>(use: (url: string) => Promise<R>): Promise<R> {
  const dataDir = mkdtempSync(join(folder, "copy-"));
  cpSync(fresh, dataDir, { recursive: true });
  const service = await sandbox(dataDir);
  const listening = await service.listen();
  return use(listening.urls.get("ledger") ?? "").finally(() => listening.close());
}

describe("examples of the documented interface, as printed, on a fresh sandbox", () => {
  test("those that change nothing", async () => {
    const reading = printed.filter((each) => !changes(each));
    const answers = await onCopy(async (url) => {
      const given: (readonly [string, string])[] = [];
      for (const each of reading) given.push([each.title, await answerTo(url, each)]);
      return given;
    });
    expect(answers).toEqual(reading.map(({ title, example }) => [title, example.error ?? "success"]));
  });

  test.for(printed.filter(changes))("$title", async (each) => {
    expect(await onCopy((url) => answerTo(url, each))).toBe("success");
  });
});

test("every example of the exports is one of those", () => {
  const text = readFileSync(join(import.meta.dirname, "../../generated/ledger/openrpc.json"), "utf8");
  const exported: { methods: readonly { name: string; examples: readonly { name: string }[] }[] } =
    JSON.parse(text);
  expect(
    exported.methods.flatMap(({ name, examples }) => examples.map((each) => `${name}: ${each.name}`)),
  ).toEqual(printed.map(({ title }) => title));
});
