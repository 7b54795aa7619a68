import { wireOf, jsonRpcTransport } from "../wire.ts";
import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import type { JsonSchema } from "../../../print/json-schema/json-schema.ts";
import { exactlyOneAnswer } from "../../signed/documents/bodies.ts";
import type { Dialect } from "../../../targets/openapi/dialect.ts";

/** `id` of a call (JSON-RPC 2.0, section 4). Typed clients that read 3.0 have no type for the three. */
function idSchema({ version }: Dialect): JsonSchema {
  if (version === "3.0.3") return { description: "A text, a number or null." };
  return { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] };
}

const version: JsonSchema = { type: "string", const: "2.0", default: "2.0" };

/**
 * The parameters in the styles that the method takes: an object, a list in the order of the fields, or either. Of either,
 * 3.0 shows the object, because it has no type for such a list.
 */
export function paramsSchema(
  method: MethodModel,
  byName: JsonSchema,
  whole: JsonSchema,
  dialect: Dialect,
): JsonSchema {
  const { params: style } = jsonRpcTransport(method.transport);
  if (style === "by-name" || (style === "either" && dialect.version === "3.0.3")) return byName;
  const list = positions(method, whole);
  return style === "by-position" ? list : { anyOf: [byName, list] };
}

/** One tuple for each number of positions: trailing optional parameters may be left out. */
function positions(method: MethodModel, { properties = {}, required = [] }: JsonSchema): JsonSchema {
  const fields = method.payload.kind === "single" ? method.payload.shape.fields : [];
  const least = fields.findLastIndex(({ name }) => required.includes(name)) + 1;
  const items = fields.map(({ name, presence }): JsonSchema => {
    const schema: JsonSchema = { title: name, ...properties[name] };
    return presence.kind === "required" ? schema : { anyOf: [schema, { type: "null" }] };
  });
  const tuples = Array.from({ length: fields.length - least + 1 }, (_, more) =>
    tuple(items.slice(0, least + more)),
  );
  return tuples.length === 1 ? (tuples[0] ?? {}) : { anyOf: tuples };
}

function tuple(items: readonly JsonSchema[]): JsonSchema {
  if (items.length === 0) return { type: "array", maxItems: 0 };
  return { type: "array", prefixItems: items, items: false, minItems: items.length };
}

export function requestEnvelope(method: MethodModel, params: JsonSchema, dialect: Dialect): JsonSchema {
  const { transport, payload } = method;
  const isOptional =
    payload.kind === "single" && payload.shape.fields.every(({ presence }) => presence.kind !== "required");
  const { notify } = jsonRpcTransport(transport);
  return {
    title: `Call of ${method.name}`,
    type: "object",
    required: ["jsonrpc", "method", ...(isOptional ? [] : ["params"]), ...(notify === "never" ? ["id"] : [])],
    properties: omitUndefined({
      jsonrpc: version,
      method: { type: "string" as const, const: method.name, default: method.name },
      params,
      id: notify === "only" ? undefined : idSchema(dialect),
    }),
  };
}

/** The answer, with a result or an error (JSON-RPC 2.0, section 5). */
export function answerSchema(
  method: MethodModel,
  result: JsonSchema,
  error: JsonSchema,
  dialect: Dialect,
): JsonSchema {
  return {
    title: `Answer of ${method.name}`,
    type: "object",
    required: ["jsonrpc", "id"],
    properties: { jsonrpc: version, result, error, id: idSchema(dialect) },
    ...exactlyOneAnswer,
  };
}

/** `error` of an answer (JSON-RPC 2.0, section 5.1). */
export function errorSchema(model: ServiceModel): JsonSchema {
  const faults = Object.values(wireOf(model).faults);
  const known = new Map(
    [
      ...faults,
      ...model.errors.map(({ code, rpcCode, message }) => ({ name: code, code: rpcCode, message })),
    ].map(({ name, code, message }) => [name, `- ${code} ${name}: ${message}`]),
  );
  return {
    title: "Error",
    description: "Why the call failed.",
    type: "object",
    required: ["code", "message"],
    properties: {
      code: { type: "integer", format: "int32", description: [...known.values()].join("\n") },
      message: { type: "string" },
      data: {},
    },
  };
}
