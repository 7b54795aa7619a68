import { signedTransport } from "../wire.ts";
import type {
  ServiceModel,
  ExampleModel,
  FieldModel,
  MethodModel,
  ErrorModel,
} from "../../../model/service-model.ts";
import { interfaceNames, type InterfaceNames } from "../../../print/interface-names.ts";
import { jsonSchemas, type JsonSchemas } from "../../../print/json-schema/json-schema.ts";
import { draft7Schema } from "../../../print/json-schema/draft7-schema.ts";
import { payloadShapes } from "../../../model/resolve.ts";
import { payloadSchema, resultSchema } from "../../../print/json-schema/method-schemas.ts";
import { sentValue } from "../../../print/sent-value.ts";
import { firstSentence, withoutRemarks } from "../../../targets/openrpc/words.ts";

/** The document, ready to be printed. Members that are undefined are absent. */
export function openRpcDocument(model: ServiceModel) {
  const names = interfaceNames(model);
  const schemas = jsonSchemas(model, {
    docs: true,
    formatPatterns: true,
    refPrefix: "#/components/schemas/",
  });
  const taken = new Set(Object.keys(schemas.definitions));
  let auth = "Auth";
  while (taken.has(auth)) auth += "_";
  const sources: MethodSources = { model, names, schemas, auth };
  const definitions = Object.values(schemas.definitions).map(
    ({ name, schema }) => [name, draft7Schema(schema)] as const,
  );
  return {
    openrpc: "1.3.2",
    info: {
      title: model.title,
      version: model.revision,
      description: model.doc,
      "x-generated": `By ledger-rpc from the ${model.name} interface, revision ${model.revision}. Do not edit.`,
    },
    servers: [serverAt(model.path, model)],
    methods: model.methods.map((method) => methodObject(method, sources)),
    components: {
      schemas: Object.fromEntries([...definitions, [auth, authSchema(model)]]),
      errors: Object.fromEntries(model.errors.map((error) => [error.code, errorObject(error)])),
    },
  };
}

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
    errors: methodErrors(method, model),
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
export function errorObject(
  error: Pick<
    ErrorModel,
    "code" | "message" | "condition" | "action" | "httpStatus" | "rpcCode" | "wireCode"
  >,
) {
  const { code, message, condition, action, httpStatus, rpcCode, wireCode } = error;
  return {
    code: rpcCode,
    message,
    data: { code: wireCode ?? code, httpStatus, condition: text(condition), action: text(action) },
  };
}

/** The errors of a method: those of every method, then its own, by reference unless it has its own words. */
export function methodErrors(method: MethodModel, model: ServiceModel) {
  const errorsByCode = new Map(model.errors.map((error) => [error.code, error]));
  const own = new Map(method.errors.map((error) => [error.code, error]));
  const shared = model.errors.filter((error) => error.everyMethod && !own.has(error.code));
  return [
    ...shared.map((error) => reference(error.code)),
    ...method.errors.map(({ code, message, condition }) => {
      const known = errorsByCode.get(code);
      if (known === undefined) throw new Error(`${method.name} has the error ${code}, which the model lacks`);
      const same = known.message === message && (condition === "" || known.condition === condition);
      return same ? reference(code) : errorObject({ ...known, message, condition });
    }),
  ];
}

function reference(code: string) {
  const token = code.replaceAll("~", "~0").replaceAll("/", "~1");
  return { $ref: `#/components/errors/${encodeURIComponent(token)}` };
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
