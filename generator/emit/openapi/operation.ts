import { omitUndefined } from "../../../conformance/omit-undefined.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import type { JsonSchema } from "../../print/json-schema/json-schema.ts";
import type { ComponentNames } from "./component-names.ts";

/** A method as an OpenAPI operation: its request and its answers as they are on the wire. */
export function operationObject(method: MethodModel, model: ServiceModel, own: ComponentNames) {
  const { payload, result } = interfaceNames(model).of(method);
  const { transport } = method;
  const isFlat = transport.kind === "flat";
  const request = isFlat ? reference(payload) : requestEnvelope(method, reference(payload), model);
  const answer = isFlat
    ? reference(result)
    : answerEnvelope(reference(result), transport.kind === "enveloped" && transport.jsonrpc);
  const answers = { anyOf: [answer, reference(own.error)] };
  return {
    operationId: method.names.value,
    tags: method.service === undefined ? undefined : [method.service],
    summary: method.name,
    description: method.doc,
    deprecated: method.deprecated === undefined ? undefined : true,
    parameters: [{ $ref: "#/components/parameters/InterfaceRevision" }],
    security: isFlat ? [Object.fromEntries(requiredHeaders(model).map((name) => [name, []]))] : undefined,
    requestBody: { required: true, content: { "application/json": { schema: request } } },
    responses: {
      "200": { description: "A result, or an error.", content: { "application/json": { schema: answers } } },
    },
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

function requestEnvelope(method: MethodModel, payload: JsonSchema, model: ServiceModel): JsonSchema {
  const required = method.transport.kind === "enveloped" ? method.transport.auth : [];
  const members = model.auth.map(({ name, doc }) => [name, { type: "string", description: doc }] as const);
  return {
    type: "object",
    required: ["method", "id", "params"],
    properties: {
      method: { const: method.name },
      id: { type: "string", minLength: 1, maxLength: 128, ...idPattern(model) },
      params: {
        type: "object",
        required: ["api", "payload"],
        properties: {
          api: { type: "object", required, properties: Object.fromEntries(members) },
          payload,
        },
      },
    },
  };
}

function idPattern({ wire }: ServiceModel): JsonSchema {
  if (wire.protocol !== "signed-envelope" || wire.requestId === undefined) return {};
  return { pattern: wire.requestId.pattern };
}

function answerEnvelope(result: JsonSchema, hasVersion: boolean): JsonSchema {
  return {
    type: "object",
    required: ["id", "result", ...(hasVersion ? ["jsonrpc"] : [])],
    properties: omitUndefined({
      id: { type: "string" },
      result,
      jsonrpc: hasVersion ? { const: "2.0" } : undefined,
    }),
  };
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
