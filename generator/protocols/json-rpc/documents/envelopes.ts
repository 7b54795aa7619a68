import { wireOf, jsonRpcTransport } from "../wire.ts";
import type { Frame } from "../../../../conformance/base/frame.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import type { JsonSchema } from "../../../print/json-schema/json-schema.ts";
import { exactlyOneAnswer } from "../../signed/documents/bodies.ts";
import type { Dialect } from "../../../targets/openapi/dialect.ts";

/** `id` of a call (JSON-RPC 2.0, section 4). Typed clients that read 3.0 have no type for the three. */
function idSchema({ version }: Dialect): JsonSchema {
  if (version === "3.0.3") return { description: "A text, a number or null." };
  return { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] };
}

/** The member that says the version, where messages have one. */
function versionOf({ version }: Frame): Readonly<Record<string, JsonSchema>> {
  if (version === undefined) return {};
  const { member, value } = version;
  return { [member]: { type: "string", const: value, default: value } };
}

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

export function requestEnvelope(
  method: MethodModel,
  params: JsonSchema,
  frame: Frame,
  dialect: Dialect,
): JsonSchema {
  const { transport, payload } = method;
  const isOptional =
    payload.kind === "single" && payload.shape.fields.every(({ presence }) => presence.kind !== "required");
  const { notify } = jsonRpcTransport(transport);
  const version = versionOf(frame);
  return {
    title: `Call of ${method.name}`,
    type: "object",
    required: [
      ...Object.keys(version),
      frame.method,
      ...(isOptional ? [] : [frame.params]),
      ...(notify === "never" ? [frame.id] : []),
    ],
    properties: {
      ...version,
      [frame.method]: { type: "string", const: method.name, default: method.name },
      [frame.params]: params,
      ...(notify !== "only" && { [frame.id]: idSchema(dialect) }),
    },
  };
}

/** The answer, with a result or an error (JSON-RPC 2.0, section 5). */
export function answerSchema(
  method: MethodModel,
  result: JsonSchema,
  error: JsonSchema,
  frame: Frame,
  dialect: Dialect,
): JsonSchema {
  const version = versionOf(frame);
  return {
    title: `Answer of ${method.name}`,
    type: "object",
    required: [...Object.keys(version), frame.id],
    properties: {
      ...version,
      [frame.result]: result,
      [frame.error]: error,
      [frame.id]: idSchema(dialect),
    },
    ...exactlyOneAnswer(frame),
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
