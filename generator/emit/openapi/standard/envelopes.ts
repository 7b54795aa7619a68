import { omitUndefined } from "../../../../conformance/omit-undefined.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import type { JsonSchema } from "../../../print/json-schema/json-schema.ts";

/** `id` of a call (JSON-RPC 2.0, section 4). */
const idSchema: JsonSchema = { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] };

/** The parameters in the styles that the method takes: an object, a list in the order of the fields, or either. */
export function paramsSchema(method: MethodModel, byName: JsonSchema, whole: JsonSchema): JsonSchema {
  const style = method.transport.kind === "json-rpc" ? method.transport.params : "by-name";
  if (style === "by-name") return byName;
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

export function requestEnvelope(method: MethodModel, params: JsonSchema): JsonSchema {
  const { transport, payload } = method;
  const isOptional =
    payload.kind === "single" && payload.shape.fields.every(({ presence }) => presence.kind !== "required");
  const notify = transport.kind === "json-rpc" ? transport.notify : "never";
  return {
    title: `Call of ${method.name}`,
    type: "object",
    required: ["jsonrpc", "method", ...(isOptional ? [] : ["params"]), ...(notify === "never" ? ["id"] : [])],
    properties: omitUndefined({
      jsonrpc: { const: "2.0" },
      method: { const: method.name },
      params,
      id: notify === "only" ? undefined : idSchema,
    }),
  };
}

export function answerEnvelope(method: MethodModel, result: JsonSchema): JsonSchema {
  return {
    title: `Answer of ${method.name}`,
    type: "object",
    required: ["jsonrpc", "result", "id"],
    properties: { jsonrpc: { const: "2.0" }, result, id: idSchema },
  };
}

/** The answer with an error (JSON-RPC 2.0, section 5.1). */
export function errorSchema(model: ServiceModel): JsonSchema {
  const faults = model.wire.protocol === "json-rpc-2.0" ? Object.values(model.wire.faults) : [];
  const known = new Map(
    [
      ...faults,
      ...model.errors.map(({ code, rpcCode, message }) => ({ name: code, code: rpcCode, message })),
    ].map(({ name, code, message }) => [name, `- ${code} ${name}: ${message}`]),
  );
  return {
    title: "Error",
    description: "The service answered with an error.",
    type: "object",
    required: ["jsonrpc", "error", "id"],
    properties: {
      jsonrpc: { const: "2.0" },
      error: {
        type: "object",
        required: ["code", "message"],
        properties: {
          code: { type: "integer", description: [...known.values()].join("\n") },
          message: { type: "string" },
          data: {},
        },
      },
      id: idSchema,
    },
  };
}
