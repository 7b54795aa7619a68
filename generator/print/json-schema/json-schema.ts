import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type {
  Documented,
  ErrorModel,
  EventModel,
  FieldModel,
  FormModel,
  MethodModel,
  PayloadModel,
  ServiceModel,
  Shape,
  TypeModel,
} from "../../model/service-model.ts";
import { interfaceNames } from "../interface-names.ts";
import { differingTypes, resolve, typeNamed } from "./differing-types.ts";
import { annotationsOf, typeDocs } from "./annotations.ts";
import { formsSchema } from "./forms.ts";
import { subschemas } from "./walk.ts";
import type { JsonSchema } from "./keywords.ts";
import { memberConditions, objectSchema, rules, shapeSchema, type ShapeContext } from "./shape.ts";

export type { JsonSchema } from "./keywords.ts";

/** Requests and what the service sends (results, events) differ: see {@link jsonSchemas}. */
export type Direction = "request" | "response";

export interface JsonSchemaStyle {
  /** The prefix of a definition's name in `$ref`: `#/$defs/` (default), `#/components/schemas/`. */
  readonly refPrefix?: string;
  /** Descriptions, sections, deprecations and examples as annotations. */
  readonly docs?: boolean;
  /**
   * For readers that do not know our formats: the regular expression of the written form (./string-formats.ts), and
   * the name as `x-format`. `format` would be read as another one of the same name, which refuses what is right.
   */
  readonly formatPatterns?: boolean;
  /**
   * For generators of typed clients. Members have one spelling (D-12), numbers a width, and forms are one type. The
   * service's objects take more members. Rules over members stand where no generator looks for types.
   */
  readonly typed?: boolean;
}

/** The schemas of one model. Every schema refers to named types by `$ref`; `definitions` has what they refer to. */
export interface JsonSchemas {
  /** `params.payload` of a method, or the body of a flat operation, with canonical field names. */
  payload(method: MethodModel): JsonSchema;
  /** One form of a payload that has several. */
  form(form: FormModel): JsonSchema;
  /** `result` of a method, or the response body of a flat operation, as sent. */
  result(method: MethodModel): JsonSchema;
  /** `payload` of a notification. */
  event(event: EventModel): JsonSchema;
  /** The members of its notification beside those of every one. */
  eventMembers(event: EventModel): JsonSchema;
  /** The schema of `data` of a standard interface's error. */
  errorData(error: ErrorModel, data: Shape): JsonSchema;
  /** A named type of the spec, by reference to its definition. */
  named(type: string, direction: Direction): JsonSchema;
  /** All definitions, in the model's order, by name. */
  readonly definitions: Readonly<Record<string, Definition>>;
  /** Names of the definitions that a schema refers to, directly or through others, in the order of first use. */
  reachedFrom(schema: JsonSchema): readonly string[];
}

/** A named type in one direction. */
export interface Definition {
  readonly name: string;
  readonly type: TypeModel;
  readonly direction: Direction;
  readonly schema: JsonSchema;
}

/**
 * The one translation of a model's shapes to JSON Schema 2020-12, read by the validators, zod, JSON Schema and
 * OpenRPC emitters. Pure and deterministic: same model and style, same schemas down to the order of keys; linear in
 * the size of the model.
 *
 * - Requests have canonical field names only, because the pipeline has resolved the spellings. A required string has
 *   `minLength: 1` unless the spec sets `minLength` (D-14), also if a condition makes it required. Values that the
 *   service sends have both spellings of a doubled field (D-12), the second required when the first is.
 * - A type that reads differently in the two directions has two definitions: `Name` for values that the service sends,
 *   and `NameRequest`. All others have one.
 * - Properties that the spec does not name are allowed (D-13).
 * - Lengths are in Unicode code points, which is what JSON Schema counts.
 * - String formats are `format` with the names of the spec language, in exported documents `x-format`; `money` is a
 *   number of at most 15 integer digits.
 * - Forms selected by a constant are an if/then for each form. Forms selected by stored state are one merged
 *   object, which takes what fits any form and still tells which field is wrong.
 */
export function jsonSchemas(model: ServiceModel, style: JsonSchemaStyle = {}): JsonSchemas {
  const types = new Map(model.types.map((type) => [type.name, type]));
  const requestNames = requestNamesOf(model, style.typed === true);
  const refPrefix = style.refPrefix ?? "#/$defs/";

  const contextOf = (direction: Direction): ShapeContext => ({
    direction,
    formatPatterns: style.formatPatterns ?? false,
    typed: style.typed ?? false,
    refTo: (name) => refPrefix + definitionName(typeNamed(types, name), direction),
    resolve: (shape) => resolve(types, shape),
    annotate: style.docs !== true ? () => ({}) : style.typed === true ? unlabelled : annotationsOf,
  });
  const definitionName = (type: TypeModel, direction: Direction) =>
    direction === "request" ? (requestNames.get(type.name) ?? type.names.type) : type.names.type;
  const contexts = { request: contextOf("request"), response: contextOf("response") };
  const documented = (thing: Documented, schema: JsonSchema, examples: readonly unknown[] = []) =>
    style.docs === true
      ? {
          ...annotationsOf(thing),
          ...schema,
          ...omitUndefined({ examples: examples.length === 0 ? undefined : examples }),
        }
      : schema;

  const definitions: Record<string, Definition> = {};
  for (const type of model.types) {
    for (const direction of directionsOf(type, requestNames)) {
      const name = definitionName(type, direction);
      const examples = type.example === undefined ? [] : [type.example];
      const schema = documented(typeDocs(type), shapeSchema(type.shape, contexts[direction]), examples);
      definitions[name] = { name, type, direction, schema };
    }
  }
  return {
    payload: (method) => documented(method, payloadOf(method.payload, contexts.request)),
    form: (form) => documented(form, objectSchema(form.shape, contexts.request)),
    result: (method) => documented(method, namedOr(method.resultType, method.result, contexts.response)),
    errorData: (error, data) => documented(error, shapeSchema(data, contexts.response)),
    event: (event) => documented(event, shapeSchema(event.payload, contexts.response)),
    eventMembers: ({ members }) =>
      members === undefined
        ? {}
        : {
            ...shapeSchema(members.shape, contexts.response),
            ...rules(memberConditions(members), contexts.response),
          },
    named: (type, direction) => ({ $ref: contexts[direction].refTo(type) }),
    definitions,
    reachedFrom: (schema) => reached(schema, definitions, refPrefix),
  };
}

function payloadOf(payload: PayloadModel, context: ShapeContext): JsonSchema {
  return payload.kind === "forms"
    ? formsSchema(payload, context)
    : namedOr(payload.type, payload.shape, context);
}

function namedOr(type: string | undefined, shape: Shape, context: ShapeContext): JsonSchema {
  return shapeSchema(type === undefined ? shape : { kind: "ref", type }, context);
}

/** Unused types are printed as what the service sends. */
function directionsOf(type: TypeModel, requestNames: ReadonlyMap<string, string>): readonly Direction[] {
  const onlyRequests = type.usedIn.length > 0 && type.usedIn.every((use) => use === "request");
  if (onlyRequests) return ["request"];
  return requestNames.has(type.name) ? ["response", "request"] : ["response"];
}

/** The request-side names of the types that both directions use and that read differently in them. */
function requestNamesOf(model: ServiceModel, typed: boolean): ReadonlyMap<string, string> {
  const types = new Map(model.types.map((type) => [type.name, type]));
  const used = model.types.filter(
    ({ usedIn }) => usedIn.includes("request") && usedIn.some((use) => use !== "request"),
  );
  const differing = differingTypes(used, types, typed);
  const taken = new Set(model.types.map((type) => type.names.type));
  const derived = interfaceNames(model);
  for (const method of model.methods) {
    taken.add(derived.of(method).payload).add(derived.of(method).result);
    if (method.payload.kind === "single") continue;
    for (const form of method.payload.forms) taken.add(derived.of(method).form(form));
  }
  for (const event of model.events) taken.add(derived.ofEvent(event));
  const names = new Map<string, string>();
  for (const type of used) {
    if (!differing.has(type.name)) continue;
    let name = `${type.names.type}Request`;
    for (let n = 2; taken.has(name); n += 1) name = `${type.names.type}Request${n}`;
    taken.add(name);
    names.set(type.name, name);
  }
  return names;
}

function reached(
  schema: JsonSchema,
  definitions: Readonly<Record<string, Definition>>,
  refPrefix: string,
): readonly string[] {
  const names = new Set<string>();
  const visit = (node: JsonSchema): void => {
    const name = node.$ref?.slice(refPrefix.length);
    const target = name === undefined || names.has(name) ? undefined : definitions[name];
    if (target !== undefined) {
      names.add(target.name);
      visit(target.schema);
    }
    for (const subschema of subschemas(node)) visit(subschema);
  };
  visit(schema);
  return [...names];
}

/** Generators of typed clients make names from titles, but a label is not a name. */
function unlabelled({ label: _label, ...field }: FieldModel): JsonSchema {
  return annotationsOf(field);
}
