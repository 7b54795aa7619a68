import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { loadEmitters, type FileDraft } from "../../generator/targets/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { fc, runs, seed } from "../seed.ts";
import { compile, createProject, type Project } from "../unit/emit-project.ts";
import { interfaceAndErrors } from "./random-specs/interface.ts";
import { tryInterface } from "./random-specs/try-interface.ts";
import { randomSpec } from "./random-specs/random-spec.ts";

/**
 * Everything generated for a legal spec agrees. The compiler accepts it; Ajv, zod and the model judge values alike;
 * client and service understand each other; the conformance suite finds nothing.
 */
const specs = fc.sample(randomSpec, { numRuns: runs(3), seed }).map((sections, at) => {
  const name = `r${at}`;
  const text = stringify({ ...interfaceAndErrors(name), ...sections }, { aliasDuplicateObjects: false });
  const { value, diagnostics } = loadServiceModel(name, () => [sourceText(`${name}/spec.yaml`, text)]);
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return { name, text, model: value, errors };
});
const models = specs.flatMap(({ name, text, model }) => (model === undefined ? [] : [{ name, text, model }]));
let project: Project;

beforeAll(async () => {
  const emitters = await loadEmitters();
  const drafts = models.flatMap(({ name, model }) =>
    emitters.flatMap((emitter): readonly FileDraft[] => emitter.emit(model, layoutOf(name))),
  );
  project = await createProject(drafts);
});
afterAll(() => project.remove());

test("random specs are legal", () => {
  expect(specs.flatMap(({ errors, text }) => errors.map((error) => `${error}\n${text}`))).toEqual([]);
});

test("what is generated for them compiles", async () => {
  const errors = await compile(project.root, ["generated", "handlers", "runtime/contract"]);
  const wrong = new Set([...errors.matchAll(/^(?:generated|handlers)\/(r\d+)\//gm)].map(([, name]) => name));
  const texts = models.filter(({ name }) => wrong.has(name)).map(({ text }) => text);
  expect(errors, texts.join("\n---\n").slice(0, 20_000)).toBe("");
});

describe.each(models)(
  "$name",
  ({ name, text, model }: { name: string; text: string; model: ServiceModel }) => {
    test("its validators, client, service and conformance suite agree", async () => {
      const found = await tryInterface(model, join(project.root, "generated", name));
      expect(found.length === 0 ? [] : [...found.slice(0, 20), text]).toEqual([]);
    });
  },
);

function layoutOf(name: string) {
  return { out: `generated/${name}`, handlers: `handlers/${name}`, contract: "runtime/contract/index.ts" };
}
