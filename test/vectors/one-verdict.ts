import { Ajv2020 } from "ajv/dist/2020.js";
import type { ServiceModel } from "../../generator/model/index.ts";
import { jsonSchemas, type JsonSchema } from "../../generator/print/json-schema/json-schema.ts";
import { checkedInterface } from "./checked-interface.ts";
import { subjectsOf } from "./vectors-of.ts";

export interface Verdicts {
  /** How many values were judged, and how many of them fit. */
  readonly judged: number;
  readonly fitting: number;
  /** Values about which two disagree, with their verdicts. */
  readonly differences: readonly string[];
}

/** Judges each value by the printed validators, by zod, by Ajv over the exported schemas, and by the reference check. */
export async function verdictsOn(model: ServiceModel): Promise<Verdicts> {
  const checked = await checkedInterface(model);
  const exported = exportedSchemas(model);
  const differences: string[] = [];
  let [judged, fitting] = [0, 0];
  try {
    for (const subject of subjectsOf(model)) {
      const printed = await checked.validator(subject.validator);
      const schema = await checked.zodSchema(subject.schema);
      const ajv = exported(subject.description);
      for (const { description, data } of subject.candidates) {
        const expected = subject.judge(data);
        const verdicts = { printed: printed(data), zod: schema.safeParse(data).success, ajv: ajv(data) };
        judged += 1;
        fitting += expected ? 1 : 0;
        if (Object.values(verdicts).every((verdict) => verdict === expected)) continue;
        differences.push(
          `${model.name}, ${subject.description}, ${description}: ${JSON.stringify({ expected, ...verdicts, data })}`,
        );
      }
    }
  } finally {
    await checked.remove();
  }
  return { judged, fitting, differences };
}

/** As other programs read them: formats are patterns. */
function exportedSchemas(model: ServiceModel): (description: string) => (data: unknown) => boolean {
  const schemas = jsonSchemas(model, { formatPatterns: true });
  const ajv = new Ajv2020({ ownProperties: true, strict: true, strictRequired: false, strictTypes: false });
  ajv.addKeyword("x-format");
  ajv.addKeyword("x-extensible-enum");
  const $defs = Object.fromEntries(
    Object.values(schemas.definitions).map(({ name, schema }) => [name, schema] as const),
  );
  const roots = new Map<string, JsonSchema>([
    ...model.events.map((event) => [`payload of event ${event.name}`, schemas.event(event)] as const),
    ...model.methods.flatMap((method) => [
      [`payload of ${method.name}`, schemas.payload(method)] as const,
      [`result of ${method.name}`, schemas.result(method)] as const,
    ]),
  ]);
  return (description) => {
    const validate = ajv.compile({ ...roots.get(description), $defs });
    return (data) => validate(data);
  };
}
