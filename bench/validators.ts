import { Ajv2020 } from "ajv/dist/2020.js";
import { jsonSchemas } from "../generator/print/json-schema.ts";
import { checkedInterface } from "../test/vectors/checked-interface.ts";
import { formatFunctions, isStringFormat } from "../generator/print/string-formats.ts";
import { formatAccepts } from "../conformance/values/index.ts";
import { modelOf } from "../test/vectors/models.ts";
import { vectorsOf } from "../test/vectors/vectors-of.ts";

// Validations a second of the same right values: the generated validators, Ajv compiled in memory, the zod schemas.
const model = modelOf("spec/ledger");
const schemas = jsonSchemas(model);
const $defs = Object.fromEntries(
  Object.values(schemas.definitions).map(({ name, schema }) => [name, schema]),
);
const ajv = new Ajv2020({ allErrors: true, ownProperties: true });
for (const format of Object.keys(formatFunctions).filter(isStringFormat)) {
  ajv.addFormat(format, (text) => formatAccepts(format, text));
}
const checked = await checkedInterface(model);

for (const method of model.methods) {
  for (const part of ["payload", "result"] as const) {
    const group = vectorsOf(model).find(({ description }) => description === `${part} of ${method.name}`);
    const value = group?.tests.find(({ description }) => description === "maximal")?.data;
    if (group === undefined || value === undefined) continue;
    const inMemory = ajv.compile({ ...schemas[part](method), $defs });
    const generated = await checked.validator(group.validator);
    const zod = await checked.zodSchema(group.schema);
    const perSecond = [
      rate(() => generated(value)),
      rate(() => inMemory(value)),
      rate(() => zod.safeParse(value).success),
    ];
    const [best = 1] = perSecond;
    const columns = perSecond.map((each) =>
      `${Math.round(each / 1000)}k (${(each / best).toFixed(2)})`.padStart(16),
    );
    console.log(group.description.padEnd(56), ...columns);
  }
}
await checked.remove();

function rate(validate: () => boolean): number {
  const spend = (milliseconds: number) => {
    const start = performance.now();
    let runs = 0;
    while (performance.now() - start < milliseconds) {
      for (let n = 0; n < 100; n += 1) if (!validate()) throw new Error("a right value was refused");
      runs += 100;
    }
    return (runs / (performance.now() - start)) * 1000;
  };
  spend(20);
  return spend(100);
}
