import { type Frame, jsonRpcFrame } from "../../../../conformance/base/frame.ts";
import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { requestIdOf } from "../../../model/index.ts";
import type { EnvelopedTransportModel, MethodModel, ServiceModel } from "../../../model/service-model.ts";
import type { JsonSchema } from "../../../print/json-schema/json-schema.ts";
import type { ComponentNames } from "./component-names.ts";
import { reference } from "../../../targets/openapi/dialect.ts";
import { operationHead, type Components } from "../../../targets/openapi/document.ts";

const text: JsonSchema = { type: "string" };
const version: JsonSchema = { type: "string", const: "2.0" };

/** The bodies of a method's call and answer as they are on the wire. */
export function methodBodies(
  method: MethodModel,
  result: JsonSchema,
  model: ServiceModel,
  names: ComponentNames,
): Components {
  const { request, params, response } = names.of(method);
  const { payload } = names.types.of(method);
  if (method.transport.kind !== "enveloped") return [[response, flatAnswer(result, method, names)]];
  const { auth } = method.transport;
  return [
    [request, requestEnvelope(method, reference(params), model)],
    [
      params,
      {
        type: "object",
        required: ["api", "payload"],
        properties: { api: reference(names.api(auth)), payload: reference(payload) },
      },
    ],
    [
      response,
      answerWith(reference(names.error), resultOf(result, names.types.of(method).result), method.transport),
    ],
  ];
}

/** Typed clients follow a reference; most make nothing of a type that is only one. */
function resultOf(result: JsonSchema, name: string): JsonSchema {
  return result.$ref === undefined ? reference(name) : { $ref: result.$ref };
}

function requestEnvelope(method: MethodModel, params: JsonSchema, model: ServiceModel): JsonSchema {
  const pattern = requestIdOf(model, method)?.pattern;
  return {
    type: "object",
    required: ["method", "id", "params"],
    properties: {
      method: { type: "string", const: method.name, default: method.name },
      id: { type: "string", minLength: 1, maxLength: 128, ...omitUndefined({ pattern }) },
      params,
    },
  };
}

/** A result or an error in one type, so that a client which reads no union takes neither for the other. */
function answerWith(
  error: JsonSchema,
  result: JsonSchema,
  { jsonrpc, nullError }: EnvelopedTransportModel,
): JsonSchema {
  const isNull = nullError === true;
  return {
    description: `Has a \`result\`${isNull ? " and `error: null`" : ""}, or an \`error\` where the call failed.`,
    type: "object",
    required: ["id", ...(isNull ? ["error"] : []), ...(jsonrpc ? ["jsonrpc"] : [])],
    properties: { id: orNull(text), result, error: isNull ? orNull(error) : error, jsonrpc: version },
    ...(isNull ? exactlyOneBesideNull : exactlyOneAnswer(jsonRpcFrame)),
  };
}

/** A result beside `error: null`, or another error alone. */
const exactlyOneBesideNull: JsonSchema = {
  not: {
    not: {
      oneOf: [{ required: ["result"] }, { properties: { error: { not: { type: "null" } } } }],
    },
  },
};

/** As `rules` of typed schemas are written: no generator reads types into it. */
export function exactlyOneAnswer({ result, error }: Pick<Frame, "result" | "error">): JsonSchema {
  return { not: { not: { oneOf: [{ required: [result] }, { required: [error] }] } } };
}

/** A flat answer is the result itself, or an error in its envelope: one type has the members of both. */
function flatAnswer(result: JsonSchema, method: MethodModel, names: ComponentNames): JsonSchema {
  const { properties = {}, required = [] } = result;
  return {
    description: "Has the members of the result, or an `error` where the call failed.",
    type: "object",
    ...(required.includes("id") && { required: ["id"] }),
    properties: {
      ...properties,
      ...(properties["id"] && { id: orNull(properties["id"]) }),
      error: reference(names.error),
      jsonrpc: version,
    },
    not: { not: { anyOf: [reference(names.types.of(method).result), { required: ["error"] }] } },
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  return omitUndefined({ description, anyOf: [rest, { type: "null" as const }] });
}

/** `params.api` in each form that methods require. */
export function apiComponents(model: ServiceModel, names: ComponentNames): Components {
  const forms = new Map<string, JsonSchema>();
  for (const { transport } of model.methods) {
    if (transport.kind !== "enveloped") continue;
    const required = transport.auth;
    const members = model.auth.map(({ name, doc }) => [name, { type: "string", description: doc }] as const);
    forms.set(names.api(required), {
      description: "Proves who calls.",
      type: "object",
      required,
      properties: Object.fromEntries(members),
    });
  }
  return [...forms];
}

/** `error` of an answer, and its `data` (D-01). */
export function errorComponents(model: ServiceModel, names: ComponentNames): Components {
  const codes = model.errors.map(({ code, wireCode }) =>
    wireCode === undefined ? code : `${wireCode} (${code})`,
  );
  const isNumbered = model.errors.some(({ wireCode }) => wireCode !== undefined);
  const code: JsonSchema = {
    ...(isNumbered ? { anyOf: [{ type: "string" }, { type: "integer" }] } : { type: "string" }),
    description: `One of ${codes.join(", ")}, or one of a newer service.`,
  };
  return [
    [
      names.error,
      {
        description: "Why the call failed.",
        type: "object",
        required: ["code", "message"],
        properties: { code, message: text, data: reference(names.errorData) },
      },
    ],
    [
      names.errorData,
      {
        type: "object",
        properties: {
          field: { type: "string", description: "JSON Pointer into the payload." },
          reason: { type: "string", description: "A machine word that narrows the code." },
          requestId: { type: "string", description: "Names the request in the service's log." },
          rpcCode: {
            type: "integer",
            format: "int32",
            description: "The JSON-RPC 2.0 integer that the code maps to.",
          },
        },
      },
    ],
  ];
}

/** A method as an OpenAPI operation. */
export function operationObject(method: MethodModel, model: ServiceModel, names: ComponentNames) {
  const isFlat = method.transport.kind === "flat";
  const { request, response } = names.of(method);
  const body = isFlat ? names.types.of(method).payload : request;
  return {
    ...operationHead(method),
    parameters: [{ $ref: "#/components/parameters/InterfaceRevision" }],
    security: isFlat ? [Object.fromEntries(requiredHeaders(model).map((name) => [name, []]))] : undefined,
    requestBody: { required: true, content: content(body) },
    responses: { "200": { description: "A result, or an error.", content: content(response) } },
    "x-section": method.section,
    "x-decisions": method.decisions.length === 0 ? undefined : method.decisions,
    "x-effect": method.effect,
    "x-emits": method.emits.length === 0 ? undefined : method.emits,
  };
}

/** The headers that carry the credential and the signature: those whose values have parts of them. */
function requiredHeaders(model: ServiceModel): readonly string[] {
  return model.authHeaders
    .filter(({ name }) => name === "Authorization" || name === "Signature")
    .map(({ name }) => name);
}

function content(name: string) {
  return { "application/json": { schema: reference(name) } };
}
