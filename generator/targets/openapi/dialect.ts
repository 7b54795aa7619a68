import type { JsonSchema } from "../../print/json-schema/json-schema.ts";
import { schema30 } from "./schema-3-0.ts";

/** A version of OpenAPI, with how it writes a schema. */
export interface Dialect {
  readonly version: "3.1.1" | "3.0.3";
  schema(schema: JsonSchema): object;
}

export const openApi31: Dialect = { version: "3.1.1", schema: (schema) => schema };

/** For generators that do not read 3.1. */
export const openApi30: Dialect = { version: "3.0.3", schema: schema30 };

/** Members that 3.0 does not have: there they are extensions. */
export function since31(dialect: Dialect, name: string, value: unknown): object {
  if (value === undefined) return {};
  return { [dialect.version === "3.1.1" ? name : `x-${name}`]: value };
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
