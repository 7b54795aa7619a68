import { signedTransport } from "../wire.ts";
import type {
  ServiceModel,
  ExampleModel,
  FieldModel,
  MethodModel,
  ErrorModel,
} from "../../../model/service-model.ts";
import { interfaceNames, type InterfaceNames } from "../../../print/interface-names.ts";
import type { JsonSchemas } from "../../../print/json-schema/json-schema.ts";
import { draft7Schema } from "../../../print/json-schema/draft7-schema.ts";
import { payloadShapes } from "../../../model/resolve.ts";
import { payloadSchema, resultSchema } from "../../../print/json-schema/method-schemas.ts";
import { sentValue } from "../../../print/sent-value.ts";
import {
  componentsOf,
  documentSchemas,
  errorsOf,
  firstSentence,
  serverAt,
  tagsOf,
  withoutRemarks,
} from "../../../targets/openrpc/parts.ts";
import { generatedBy } from "../../../print/preamble.ts";

/** The document, ready to be printed. Members that are undefined are absent. */
export function openRpcDocument(model: ServiceModel) {
  const names = interfaceNames(model);
  const schemas = documentSchemas(model);
  const taken = new Set(Object.keys(schemas.definitions));
  let auth = "Auth";
  while (taken.has(auth)) auth += "_";
  const sources: MethodSources = { model, names, schemas, auth };
  return {
    openrpc: "1.3.2",
    info: {
      title: model.title,
      version: model.revision,
      description: model.doc,
      "x-generated": generatedBy(model),
    },
    servers: [serverAt(model.path, model)],
    methods: model.methods.map((method) => methodObject(method, sources)),
    components: componentsOf(model, schemas, errorObject, [[auth, authSchema(model)]]),
  };
}

export interface MethodSources {
  readonly model: ServiceModel;
  readonly names: InterfaceNames;
  readonly schemas: JsonSchemas;
  /** Name of the schema of `params.api`. */
  readonly auth: string;
}

/**
 * A method as OpenRPC describes it. An enveloped one has the params `api` and `payload`. A flat one has a param for
 * each field of its body; `x-flat` names the selecting fields and the rules of the whole body.
 */
export function methodObject(method: MethodModel, sources: MethodSources) {
  const { model, schemas } = sources;
  return {
    name: method.name,
    tags: tagsOf(method, model),
    summary: firstSentence(method.doc),
    description: method.doc,
    servers: method.path === undefined ? undefined : [serverAt(method.path, model)],
    paramStructure: "by-name",
    params: paramsOf(method, sources),
    result: { name: "result", schema: withoutRemarks(resultSchema(method, schemas)) },
    errors: errorsOf(method, model, errorObject),
    examples:
      method.examples.length === 0
        ? undefined
        : method.examples.map((example) => pairing(example, method, model)),
    deprecated: method.deprecated === undefined ? undefined : true,
    // Its name in generated code and JSON Schema, if the last part of its name does not say so.
    "x-name": method.names.type === method.name.split(".").at(-1) ? undefined : method.names.type,
    "x-section": method.section,
    "x-decisions": method.decisions.length === 0 ? undefined : method.decisions,
    "x-since": method.since,
    "x-deprecated": method.deprecated,
    "x-effect": method.effect,
    "x-emits": method.emits.length === 0 ? undefined : method.emits,
    ...transportOf(method, sources),
  };
}

function paramsOf(method: MethodModel, { schemas, auth }: MethodSources) {
  const { transport, payload } = method;
  if (transport.kind === "enveloped") {
    return [
      { name: "api", required: true, schema: methodAuthSchema(transport.auth, auth) },
      { name: "payload", required: true, schema: withoutRemarks(payloadSchema(method, schemas)) },
    ];
  }
  const properties = schemas.payload(method).properties ?? {};
  const fields = payloadShapes(payload).flatMap((shape) => shape.fields);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: fields.some((field) => field.name === name && isRequired(field)),
    schema: draft7Schema(schema),
  }));
}

function isRequired(field: FieldModel): boolean {
  return field.presence.kind === "required";
}

function transportOf(method: MethodModel, { schemas }: MethodSources) {
  const transport = signedTransport(method.transport);
  if (transport.kind === "enveloped")
    return { "x-jsonrpc": transport.jsonrpc ? undefined : "absent", "x-null-error": transport.nullError };
  const {
    properties: _properties,
    required: _required,
    type: _type,
    ...rules
  } = withoutRemarks(schemas.payload(method));
  const hasRules = Object.keys(rules).length > 0;
  const { selectedBy, only, order } = transport;
  return { "x-flat": { selectedBy, only, order, rules: hasRules ? rules : undefined } };
}

/** An example of a failure has no place for it in OpenRPC: it is named in `x-error`. */
function pairing(example: ExampleModel, method: MethodModel, model: ServiceModel) {
  const { name, payload, result, error } = example;
  const params =
    method.transport.kind === "enveloped"
      ? [{ name: "payload", value: payload }]
      : Object.entries(Object(payload)).map(([field, value]) => ({ name: field, value }));
  return {
    name,
    params,
    result:
      result === undefined ? undefined : { name: "result", value: sentValue(result, method.result, model) },
    "x-error": error,
  };
}

/**
 * A code as an OpenRPC error: `code` is the JSON-RPC integer; the documented string or number, which is what
 * the wire's `error.code` carries (D-01), is in `data`.
 */
export function errorObject(error: ErrorModel) {
  const { code, message, condition, action, httpStatus, rpcCode, wireCode } = error;
  return {
    code: rpcCode,
    message,
    data: { code: wireCode ?? code, httpStatus, condition: text(condition), action: text(action) },
  };
}

function text(value: string): string | undefined {
  return value === "" ? undefined : value;
}

/** `params.api` with all its members; which of them are required differs by method. */
export function authSchema(model: ServiceModel) {
  return {
    description: "What every enveloped call proves itself with.",
    type: "object",
    properties: Object.fromEntries(
      model.auth.map((member) => [
        member.name,
        { description: member.doc, type: "string", minLength: 1, "x-missing": member.missing },
      ]),
    ),
  };
}

/** `params.api` of one method. */
export function methodAuthSchema(required: readonly string[], auth: string) {
  return { allOf: [{ $ref: `#/components/schemas/${auth}` }, { required }] };
}
