import { isJsonRpcFrame } from "../../../../conformance/base/frame.ts";
import { jsonRpcTransport, wireOf } from "../wire.ts";
import type {
  ServiceModel,
  ExampleModel,
  FieldModel,
  MethodModel,
  ErrorModel,
  Documented,
} from "../../../model/service-model.ts";
import type { JsonSchema, JsonSchemas } from "../../../print/json-schema/json-schema.ts";
import { draft7Schema } from "../../../print/json-schema/draft7-schema.ts";
import { resultSchema } from "../../../print/json-schema/method-schemas.ts";
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
import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";

/** A standard interface as OpenRPC describes it, ready to be printed. Members that are undefined are absent. */
export function openRpcDocument(model: ServiceModel) {
  const schemas = documentSchemas(model);
  const { info, version, servers, externalDocs, components, ...others } = carriedOf(model);
  const { frame } = wireOf(model);
  return {
    openrpc: "1.3.2",
    info: {
      ...Object(info),
      title: model.title,
      version: typeof version === "string" ? version : model.revision,
      description: model.doc === "" ? undefined : model.doc,
      "x-generated": generatedBy(model),
    },
    servers: Array.isArray(servers) ? servers : [serverAt(model.path, model)],
    externalDocs,
    methods: model.methods.map((method) => standardMethod(method, { model, schemas })),
    components: {
      ...Object(components),
      ...componentsOf(model, schemas, standardError),
    },
    "x-tags": memberOf(others, "tags"),
    // OpenRPC has no word for it: a reader that does not know it would send messages of JSON-RPC 2.0.
    "x-frame": isJsonRpcFrame(frame) ? undefined : frame,
    ...securityOf(model),
    ...extensionsOf(model),
  };
}

interface Sources {
  readonly model: ServiceModel;
  readonly schemas: JsonSchemas;
}

/** A method with its parameters by name; a notification has no `result`. */
export function standardMethod(method: MethodModel, sources: Sources) {
  const { model } = sources;
  const { doc } = method;
  const transport = jsonRpcTransport(method.transport);
  const { result: words, errors: _errors, tags, ...others } = carriedOf(method);
  const summary = method.extensions?.["x-summary"];
  return {
    name: method.name,
    tags: tags ?? tagsOf(method, model),
    summary: typeof summary === "string" ? summary : doc === "" ? undefined : firstSentence(doc),
    description: doc === "" ? undefined : doc,
    ...others,
    paramStructure: transport.params,
    params: paramsOf(method, sources),
    result: transport.notify === "only" ? undefined : resultOf(method, words, sources),
    errors: methodErrors(method, model),
    examples: examplesOf(method, words),
    deprecated: method.deprecated === undefined ? undefined : true,
    "x-deprecated": method.deprecated,
    "x-since": method.since,
    "x-section": method.section,
    "x-effect": method.effect,
    "x-notify": transport.notify === "allowed" ? undefined : transport.notify,
    "x-emits": method.emits.length === 0 ? undefined : method.emits,
    ...securityOfMethod(method, model),
    ...extensionsOf(method),
  };
}

function fieldsOf({ name, payload }: MethodModel): readonly FieldModel[] {
  if (payload.kind !== "single") throw new Error(`${name} has forms, which JSON-RPC 2.0 does not know`);
  return payload.shape.fields;
}

/** The content descriptor documents a parameter; its schema does not repeat it. */
function paramsOf(method: MethodModel, { schemas }: Sources) {
  const payload = schemas.payload(method);
  const named = payload.$ref === undefined ? undefined : definitionOf(payload.$ref, schemas);
  const properties = named?.properties ?? payload.properties ?? {};
  return fieldsOf(method).map((field) => {
    const { extensions = {} } = field;
    const schema = properties[field.name] ?? {};
    return {
      name: field.name,
      summary: extensions["x-summary"],
      description: field.doc === "" ? undefined : field.doc,
      required: field.presence.kind === "required",
      deprecated: field.deprecated === undefined ? undefined : true,
      schema: parameterSchema(schema, extensions),
    };
  });
}

function parameterSchema(schema: JsonSchema, extensions: Readonly<Record<string, unknown>>): JsonSchema {
  const { description: _description, deprecated: _deprecated, ...rest } = draft7Schema(schema);
  const own = Object.fromEntries(
    Object.entries(rest).filter(([key]) => key !== "x-summary" && key !== "x-schema-doc"),
  );
  const said = extensions["x-schema-doc"];
  return typeof said === "string" ? { description: said, ...own } : own;
}

function definitionOf(reference: string, { definitions }: JsonSchemas): JsonSchema | undefined {
  return definitions[reference.slice(reference.lastIndexOf("/") + 1)]?.schema;
}

function resultOf(method: MethodModel, words: unknown, { schemas }: Sources) {
  const { name = "result", ...others } = membersOf(words);
  const schema = withoutRemarks(resultSchema(method, schemas));
  const ofMethod = new Set(Object.keys(method.extensions ?? {}));
  const own = Object.fromEntries(
    Object.entries(schema).filter(
      ([key]) => !ofMethod.has(key) && !(key === "title" && ofMethod.has("x-title")),
    ),
  );
  return { name, ...others, schema: own };
}

function examplesOf(method: MethodModel, words: unknown) {
  const { name: resultName = "result" } = membersOf(words);
  const examples = [
    ...method.examples.map((example) => pairing(example, method, resultName)),
    ...listOf(method.extensions?.["x-examples"]),
  ];
  return examples.length === 0 ? undefined : examples;
}

/** An example of a failure has no place for it in OpenRPC: it is named in `x-error`. */
function pairing(example: ExampleModel, method: MethodModel, resultName: unknown) {
  const payload = new Map(Object.entries(Object(example.payload)));
  const fields = fieldsOf(method).filter(({ name }) => payload.has(name));
  return {
    name: example.name,
    params: fields.map(({ name }) => ({ name, value: payload.get(name) })),
    result: example.result === undefined ? undefined : { name: resultName, value: example.result },
    "x-error": example.error,
  };
}

/** An error as OpenRPC has it, without keys of one's own: there OpenRPC allows none. */
export function standardError({ rpcCode, message, extensions }: ErrorModel) {
  return { code: rpcCode, message, data: extensions?.["x-data"] };
}

/** The errors of a method; those that the document gave it by reserved codes come last. */
function methodErrors(method: MethodModel, model: ServiceModel) {
  const errors = [
    ...errorsOf(method, model, standardError),
    ...listOf(memberOf(carriedOf(method), "errors")),
  ];
  return errors.length === 0 ? undefined : errors;
}

/** OpenRPC has no authentication: the schemes are `x-security` of the document. */
export function securityOf({ schemes }: ServiceModel) {
  if (schemes.length === 0) return {};
  const entries = schemes.map(({ name, kind, options, doc }) => {
    return [
      name,
      { kind, ...options, ...omitUndefined({ description: doc === "" ? undefined : doc }) },
    ] as const;
  });
  return { "x-security": Object.fromEntries(entries) };
}

/** The security of a method: one of the alternatives, each a map of schemes to scopes. */
export function securityOfMethod({ security }: MethodModel, { schemes }: ServiceModel) {
  if (schemes.length === 0) return {};
  return {
    "x-security": security.map((alternative) =>
      Object.fromEntries(alternative.map(({ scheme, scopes }) => [scheme, scopes])),
    ),
  };
}

type Members = Readonly<Record<string, unknown>>;

/** The parts of an imported document that the spec language cannot say: its `x-openrpc`. */
export function carriedOf({ extensions = {} }: Documented): Members {
  return membersOf(extensions["x-openrpc"]);
}

/** The spec's other `x-…` keys, as OpenRPC allows them; those that stand for a member of its own are left out. */
export function extensionsOf({ extensions = {} }: Documented): Members {
  return Object.fromEntries(Object.entries(extensions).filter(([key]) => !standsForMember.has(key)));
}

const standsForMember: ReadonlySet<string> = new Set([
  "x-openrpc",
  "x-summary",
  "x-examples",
  "x-data",
  "x-schema-doc",
]);

export function memberOf(value: unknown, name: string): unknown {
  return membersOf(value)[name];
}

export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A list that an imported document has, or nothing. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
