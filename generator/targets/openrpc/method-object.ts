import type { ExampleModel, FieldModel, MethodModel, ServiceModel } from "../../model/service-model.ts";
import { payloadShapes } from "../../model/resolve.ts";
import type { InterfaceNames } from "../../print/interface-names.ts";
import type { JsonSchemas } from "../../print/json-schema/json-schema.ts";
import { payloadSchema, resultSchema } from "../../print/json-schema/method-schemas.ts";
import { sentValue } from "../../print/sent-value.ts";
import { methodAuthSchema } from "./auth-schema.ts";
import { draft7Schema } from "../../print/json-schema/draft7-schema.ts";
import { methodErrors } from "./errors.ts";
import { firstSentence } from "./first-sentence.ts";
import { withoutRemarks } from "./without-remarks.ts";

/** Where a path of a service is: the host is the deployment's. */
export function serverAt(path: string, { name }: ServiceModel) {
  return {
    name,
    url: `http://localhost${path}`,
    description: `The path is \`${path}\`; the host is the deployment's.`,
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
 * A method as OpenRPC describes it. An enveloped one has the params `api` and `payload`; a flat one has a param for
 * each field of its body, and `x-flat` says which fields select it and what rules hold over the whole body.
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
    errors: methodErrors(method, model),
    examples:
      method.examples.length === 0
        ? undefined
        : method.examples.map((example) => pairing(example, method, model)),
    deprecated: method.deprecated === undefined ? undefined : true,
    // What generated code and JSON Schema call it, where the last part of its name does not say so.
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

function tagsOf(method: MethodModel, model: ServiceModel) {
  const service = model.services.find((group) => group.name === method.service);
  return service === undefined ? undefined : [{ name: service.name, description: service.doc }];
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
  const { transport } = method;
  if (transport.kind === "json-rpc") return {};
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
