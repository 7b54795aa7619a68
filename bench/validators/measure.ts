/**
 * A process of its own for `bench/parts/validators.ts`: CPU time of one validation of the largest right value of each
 * payload and result, by the generated validators, by Ajv and by zod. Ajv is tuned by hand: schemas are compiled
 * ahead with the format functions of the generated validators, and it reports all errors, as they do. Prints JSON.
 */
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { jsonSchemas } from "../../generator/print/json-schema/json-schema.ts";
import { formatFunctions } from "../../generator/print/string-formats.ts";
import { checkedInterface } from "../../test/vectors/checked-interface.ts";
import { modelOf } from "../../test/vectors/models.ts";
import { vectorsOf } from "../../test/vectors/vectors-of.ts";

/** Microseconds a validation, a list of rounds each, of one payload or result. */
export interface Validated {
  readonly name: string;
  readonly part: "payload" | "result";
  readonly generated: readonly number[];
  readonly ajv: readonly number[];
  readonly zod: readonly number[];
}

const rounds = Number(process.argv[2] ?? 7);
const model = modelOf("spec/ledger");
const schemas = jsonSchemas(model);
const $defs = Object.fromEntries(
  Object.values(schemas.definitions).map(({ name, schema }) => [name, schema]),
);
const ajv = new Ajv2020({ allErrors: true, ownProperties: true, strict: false });
const checked = await checkedInterface(model);
const support: Record<string, (text: string) => boolean> = await import(
  join(checked.root, checked.out, "validators/support.js")
);
for (const [format, name] of Object.entries(formatFunctions)) {
  const accepts = support[name];
  if (accepts !== undefined) ajv.addFormat(format, accepts);
}
const vectors = vectorsOf(model);

const all: Validated[] = [];
for (const { name, ...method } of model.methods.map((each) => ({ ...each, method: each }))) {
  for (const part of ["payload", "result"] as const) {
    const group = vectors.find(({ description }) => description === `${part} of ${name}`);
    const value = group?.tests.find(({ description }) => description === "maximal")?.data;
    if (group === undefined || value === undefined) continue;
    const inMemory = ajv.compile({ ...schemas[part](method.method), $defs });
    const generated = await checked.validator(group.validator);
    const zod = await checked.zodSchema(group.schema);
    const rows = contest([() => generated(value), () => inMemory(value), () => zod.safeParse(value).success]);
    const [ofGenerated = [], ofAjv = [], ofZod = []] = rows;
    all.push({ name, part, generated: ofGenerated, ajv: ofAjv, zod: ofZod });
  }
}
await checked.remove();
console.log(JSON.stringify(all));

/** Microseconds a run of each, in turns. */
function contest(actions: readonly (() => boolean)[]): readonly (readonly number[])[] {
  const counts = actions.map((action) => {
    cpuMicros(action, 2000);
    // About 8 ms a turn: the kernel counts CPU time by the microsecond.
    return Math.ceil(8000 / Math.max(0.01, cpuMicros(action, 2000)));
  });
  const found: number[][] = actions.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, action] of actions.entries()) found[at]?.push(cpuMicros(action, counts[at] ?? 1));
  }
  return found;
}

function cpuMicros(action: () => boolean, runs: number): number {
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) if (!action()) throw new Error("a right value was refused");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / runs;
}
