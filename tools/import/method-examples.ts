import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { type Conversion, followed } from "./flatten.ts";
import { listOf, memberOf, textOf, type Json } from "./json.ts";
import type { Written } from "./print-types.ts";
import type { Field } from "./shape.ts";
import { inside, type Site } from "./sources.ts";

/** The example pairings of a method: those that the spec language can say, and the others as they are. */
export function examplesOf(
  method: Site,
  fields: readonly Field[],
  conversion: Conversion,
): { readonly examples: readonly Written[]; readonly others: readonly Json[] } {
  const examples: Written[] = [];
  const others: Json[] = [];
  listOf(method.value, "examples").forEach((_, index) => {
    const pairing = followed(inside(method, "examples", index), conversion, undefined);
    const example = exampleOf(pairing, fields, conversion);
    if (example === undefined) others.push(pairing.value);
    else examples.push(example);
  });
  return { examples, others };
}

/** Parameters are found by name, or else by position. */
function exampleOf(pairing: Site, fields: readonly Field[], conversion: Conversion): Written | undefined {
  const name = textOf(pairing.value, "name");
  const result = memberOf(followed(inside(pairing, "result"), conversion, undefined).value, "value");
  if (name === undefined || result === undefined) return undefined;
  const payload = new Map<string, Json>();
  const params = listOf(pairing.value, "params");
  for (let index = 0; index < params.length; index += 1) {
    const param = followed(inside(pairing, "params", index), conversion, undefined);
    const value = memberOf(param.value, "value");
    const given = textOf(param.value, "name");
    const field = fields.find((each) => each.name === given) ?? fields[index];
    if (value === undefined || field === undefined || payload.has(field.name)) return undefined;
    payload.set(field.name, value);
  }
  const doc = textOf(pairing.value, "description") ?? textOf(pairing.value, "summary");
  return omitUndefined({ name, doc, payload: Object.fromEntries(payload), result });
}
