import type { ServiceModel } from "../../model/service-model.ts";
import { jsonSchemas, type JsonSchema } from "../../print/json-schema/json-schema.ts";
import { subschemas } from "../../print/json-schema/walk.ts";
import { formatFunctions, isStringFormat } from "../../print/string-formats.ts";
import type { SupportName } from "./support-source.ts";

/** The functions that the validators and the zod schemas of an interface can call. */
export function supportNeeded(model: ServiceModel): ReadonlySet<SupportName> {
  const needed = new Set<SupportName>(["validator", "fail", "isObject"]);
  const visit = (schema: JsonSchema): void => {
    const { format, minLength, maxLength, uniqueItems, required = [] } = schema;
    if (required.length > 2) needed.add("failMissing");
    if (format !== undefined && isStringFormat(format)) needed.add(formatFunctions[format]);
    if (minLength !== undefined || maxLength !== undefined) needed.add("length");
    if (uniqueItems === true) needed.add("equal").add("hasEqualItems");
    for (const subschema of subschemas(schema)) visit(subschema);
  };
  const schemas = jsonSchemas(model);
  for (const { schema } of Object.values(schemas.definitions)) visit(schema);
  for (const method of model.methods) {
    visit(schemas.payload(method));
    visit(schemas.result(method));
  }
  for (const event of model.events) visit(schemas.event(event));
  for (const error of model.errors) {
    if (error.data !== undefined) visit(schemas.errorData(error, error.data));
  }
  return needed;
}
