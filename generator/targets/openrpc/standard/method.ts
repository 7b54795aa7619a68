import type { ExampleModel, FieldModel, MethodModel, ServiceModel } from "../../../model/service-model.ts";
import type { JsonSchema, JsonSchemas } from "../../../print/json-schema/json-schema.ts";
import { resultSchema } from "../../../print/json-schema/method-schemas.ts";
import { draft7Schema } from "../../../print/json-schema/draft7-schema.ts";
import { firstSentence } from "../first-sentence.ts";
import { withoutRemarks } from "../without-remarks.ts";
import { carriedOf, extensionsOf, listOf, membersOf } from "./carried.ts";
import { errorsOf } from "./errors.ts";
import { securityOfMethod } from "./security.ts";

interface Sources {
  readonly model: ServiceModel;
  readonly schemas: JsonSchemas;
}

/** A method with its parameters by name; a notification has no `result`. */
export function standardMethod(method: MethodModel, sources: Sources) {
  const { model } = sources;
  const { transport, doc } = method;
  if (transport.kind !== "json-rpc") throw new Error(`${method.name} is no method of JSON-RPC 2.0`);
  const { result: words, errors: _errors, tags, ...others } = carriedOf(method);
  const summary = method.extensions?.["x-summary"];
  const group = model.services.find(({ name }) => name === method.service);
  return {
    name: method.name,
    tags: tags ?? (group && [{ name: group.name, description: group.doc === "" ? undefined : group.doc }]),
    summary: typeof summary === "string" ? summary : doc === "" ? undefined : firstSentence(doc),
    description: doc === "" ? undefined : doc,
    ...others,
    paramStructure: transport.params,
    params: paramsOf(method, sources),
    result: transport.notify === "only" ? undefined : resultOf(method, words, sources),
    errors: errorsOf(method, model),
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
