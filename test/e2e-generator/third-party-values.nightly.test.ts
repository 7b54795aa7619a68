import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generators, installGenerators, prepareRun } from "../../bench/contestants/generators/index.ts";
import { succeedIn } from "../packages/installed-project.ts";
import { modelOf } from "../vectors/models.ts";
import { vectorsOf } from "../vectors/vectors-of.ts";
import { repository } from "./project.ts";

/** What generators of others make of a schema of our OpenAPI document: its module, and its name there. */
const contestants = [
  { name: "@hey-api/openapi-ts", module: "out/hey/zod.gen.ts", of: (schema: string) => `z${schema}` },
  {
    name: "@kubb",
    module: "out/kubb/zod/index.ts",
    of: (schema: string) => `${schema[0]?.toLowerCase()}${schema.slice(1)}Schema`,
  },
];
const valid = vectorsOf(modelOf("spec/ledger")).flatMap(({ schema, tests }) =>
  tests.flatMap(({ description, data, valid: isValid }) => (isValid ? [{ schema, description, data }] : [])),
);

let cache = "";
let folder = "";
let problem = "";

beforeAll(() => {
  try {
    cache = installGenerators(join(repository, ".cache/bench-generators"));
    folder = join(cache, "values");
    prepareRun(folder, join(repository, "generated/ledger/openapi.json"));
  } catch (error) {
    problem = `the generators cannot be installed here: ${String(error)}`;
  }
});
afterAll(() => {
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

describe("validators that the generators of others make of our documents", () => {
  test.for(contestants)("$name: take every right value, dates and times among them", async (own, context) => {
    context.skip(problem !== "", problem);
    const generator = generators.find(({ name }) => name === own.name);
    if (generator === undefined) throw new Error(`there is no generator ${own.name}`);
    await succeedIn(folder, [
      process.execPath,
      join(cache, "node_modules", generator.program),
      ...generator.args,
    ]);
    const schemas = await bundled(join(folder, own.module));
    expect(valid.filter(({ description }) => /date|time/i.test(description)).length).toBeGreaterThan(50);
    const refused = valid.filter(({ schema, data }) => {
      const validator = schemas[own.of(schema)];
      if (validator === undefined) throw new Error(`${own.name} made no ${own.of(schema)}`);
      return !validator.safeParse(data).success;
    });
    // Their integers end where doubles stop to be exact; the document knows no end.
    expect(refused.filter(({ description }) => !/beyond 2\^53|1e300/.test(description))).toEqual([]);
  });
});

type Validators = Readonly<Record<string, { safeParse(data: unknown): { readonly success: boolean } }>>;

async function bundled(input: string): Promise<Validators> {
  const bundle = await rolldown({ input, platform: "node", logLevel: "silent" });
  const file = join(folder, "validators.mjs");
  const { output } = await bundle.generate({ format: "es" });
  writeFileSync(file, output[0].code);
  return await import(`${pathToFileURL(file).href}?${Date.now()}`);
}
