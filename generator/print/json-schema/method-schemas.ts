import type { MethodModel } from "../../model/service-model.ts";
import type { JsonSchema, JsonSchemas } from "./json-schema.ts";

/** The schema of a method's payload; a reference where the spec gives the payload by the name of a type. */
export function payloadSchema(method: MethodModel, schemas: JsonSchemas): JsonSchema {
  const { payload } = method;
  const type = payload.kind === "single" ? payload.type : undefined;
  return type === undefined ? schemas.payload(method) : schemas.named(type, "request");
}

/** The schema of a method's result, likewise. */
export function resultSchema(method: MethodModel, schemas: JsonSchemas): JsonSchema {
  const { resultType } = method;
  return resultType === undefined ? schemas.result(method) : schemas.named(resultType, "response");
}
