import { omitUndefined } from "../base/omit-undefined.ts";
import { namesIn } from "../request/resolve-value.ts";
import { ownDecisions, payloadFields } from "../suite/methods.ts";
import { objectOf } from "../suite/shape.ts";
import type { MethodEntry, PagingEntry, ResourceEntry, Suite } from "../suite/suite.ts";
import {
  escaped,
  type FieldShape,
  memberOf,
  type ObjectShape,
  type Reading,
  type Shape,
} from "../values/index.ts";

/** A kind of object, and all that the interface can do about one. */
export interface ResourceType {
  readonly entry: ResourceEntry;
  /** The action that creates one; absent where only the operator can, or no operation does. */
  readonly creator?: Action;
  readonly readers: readonly Action[];
  readonly setters: readonly Action[];
  readonly lists: readonly Listing[];
}

/** A method, as it is about one object. */
export interface Action {
  readonly method: MethodEntry;
  /** Names of payloads to start from. */
  readonly bases: readonly string[];
  /** The payload's fields that identify the object. */
  readonly identifying: readonly FieldShape[];
  /** The payload's required fields for which any text will do. */
  readonly texts: readonly FieldShape[];
  /** Where the result says what the object is. */
  readonly record?: ObjectRecord;
}

/** The place of an object in a result. */
export interface ObjectRecord {
  /** JSON Pointer. */
  readonly at: string;
  readonly fields: readonly FieldShape[];
}

/** A method that gives such objects page by page. */
export interface Listing {
  readonly method: MethodEntry;
  readonly paging: PagingEntry;
  readonly fields: readonly FieldShape[];
}

/** The kinds of object of an interface about which something can be done and seen. */
export function resourceTypesOf(suite: Suite, reading: Reading): readonly ResourceType[] {
  return suite.resources
    .map((resource) => resourceTypeOf(resource, suite, reading))
    .filter(({ readers, setters, lists }) => readers.length + setters.length + lists.length > 0);
}

function resourceTypeOf(entry: ResourceEntry, suite: Suite, reading: Reading): ResourceType {
  const actions = suite.methods.flatMap((method) => actionOf(method, entry, reading) ?? []);
  const creator = suite.methods.find(({ name }) => name === entry.created?.method);
  return omitUndefined({
    entry,
    creator:
      creator === undefined
        ? undefined
        : {
            ...recordPart(objectOf(creator.result), entry, reading),
            ...creation(creator, entry, reading),
          },
    readers: actions.filter(({ method }) => method.effect === "read"),
    setters: actions.filter((action) => action.method.effect === "set" && saysMore(action)),
    lists: suite.methods.flatMap((method) => listingOf(method, entry, reading) ?? []),
  });
}

/** Whether a method takes more than the object: one that does not ends it, such as a revocation. */
function saysMore({ method, identifying }: Action): boolean {
  return payloadFields(method.payload).length > identifying.length;
}

function creation(method: MethodEntry, { samples }: ResourceEntry, reading: Reading): Omit<Action, "record"> {
  const bases = Object.keys(method.bases).filter(
    (name) => !namesIn(method.bases[name]).some((sample) => samples.includes(sample)),
  );
  return { method, bases, identifying: [], texts: textsOf(method, reading) };
}

function actionOf(method: MethodEntry, resource: ResourceEntry, reading: Reading): Action | undefined {
  const fields = payloadFields(method.payload);
  const identifying = fields.filter(({ identifies }) => isSampleOf(identifies, resource));
  const bases = Object.keys(method.bases).filter((name) =>
    namesIn(method.bases[name]).some((sample) => resource.samples.includes(sample)),
  );
  if (identifying.length === 0 || bases.length === 0) return undefined;
  return {
    method,
    bases,
    identifying,
    texts: textsOf(method, reading),
    ...recordPart(objectOf(method.result), resource, reading),
  };
}

function listingOf(method: MethodEntry, resource: ResourceEntry, reading: Reading): Listing | undefined {
  const { paging, result } = method;
  const list = objectOf(result).fields.find(({ name }) => name === paging?.items);
  if (paging === undefined || list === undefined) return undefined;
  const shape = reading.resolve(list.shape);
  const item = shape.kind === "array" ? reading.resolve(shape.items) : shape;
  if (item.kind !== "object" || !item.fields.some(({ identifies }) => isSampleOf(identifies, resource)))
    return undefined;
  return { method, paging, fields: item.fields };
}

/** The object itself, or the member of the result that is it. */
function recordPart(
  result: ObjectShape,
  resource: ResourceEntry,
  reading: Reading,
): { readonly record?: ObjectRecord } {
  const isIt = ({ fields }: ObjectShape): boolean =>
    fields.some(({ identifies }) => isSampleOf(identifies, resource));
  if (isIt(result)) return { record: { at: "", fields: result.fields } };
  for (const { name, shape } of result.fields) {
    const resolved = reading.resolve(shape);
    if (resolved.kind === "object" && isIt(resolved))
      return { record: { at: `/${escaped(name)}`, fields: resolved.fields } };
  }
  return {};
}

function textsOf({ payload }: MethodEntry, reading: Reading): readonly FieldShape[] {
  const isText = (field: FieldShape): boolean =>
    field.presence.kind === "required" && isFreeText(field, reading);
  return payloadFields(payload).filter(isText);
}

function isSampleOf(name: string | undefined, { samples }: ResourceEntry): boolean {
  return name !== undefined && samples.includes(name);
}

/** Whether any text will do for a field: none of its values mean something elsewhere. */
export function isFreeText(field: FieldShape, reading: Reading): boolean {
  const shape = reading.resolve(field.shape);
  if (shape.kind !== "string" || shape.const !== undefined) return false;
  if (shape.format !== undefined || shape.pattern !== undefined) return false;
  return field.identifies === undefined && field.refersTo === undefined && field.example === undefined;
}

/**
 * An interface reduced to what the document says may be sent: fields that it leaves open get no values.
 */
export function documented(suite: Suite, reading: Reading): Suite {
  return { ...suite, methods: suite.methods.map((method) => documentedMethod(method, suite, reading)) };
}

function documentedMethod(method: MethodEntry, suite: Suite, reading: Reading): MethodEntry {
  const least = Object.entries(method.bases).filter(([name]) => name.endsWith("minimal"));
  const shapeOf = (shape: ObjectShape, form = ""): ObjectShape => {
    const base = least.find(([name]) => name.startsWith(form))?.[1];
    return documentedShape(shape, base, suite, reading);
  };
  const { payload } = method;
  return {
    ...method,
    payload:
      payload.kind === "single"
        ? { ...payload, shape: shapeOf(payload.shape) }
        : {
            ...payload,
            forms: payload.forms.map(({ name, shape }) => ({ name, shape: shapeOf(shape, name) })),
          },
    ...omitUndefined({ bases: least.length === 0 ? undefined : Object.fromEntries(least) }),
  };
}

function documentedShape(shape: ObjectShape, base: unknown, suite: Suite, reading: Reading): ObjectShape {
  const fields = shape.fields
    .filter(({ presence }) => presence.kind !== "required-when")
    .map((field): FieldShape => {
      const given = memberOf(base, field.name);
      return { ...field, shape: documentedValues(field, given, shape, suite, reading) };
    });
  return { ...shape, fields };
}

/**
 * The values of an enum that ask for nothing more, or the given one if the document does not say which are accepted.
 */
function documentedValues(
  field: FieldShape,
  given: unknown,
  { fields }: ObjectShape,
  suite: Suite,
  reading: Reading,
): Shape {
  const resolved = reading.resolve(field.shape);
  if (resolved.kind !== "enum") return field.shape;
  if (typeof given === "string" && ownDecisions(field, suite).length > 0)
    return { kind: "string", const: given };
  const asking = fields.flatMap(({ presence }) =>
    presence.kind === "required-when" && presence.field === field.name ? presence.values : [],
  );
  if (asking.length === 0) return field.shape;
  return {
    ...resolved,
    values: resolved.values.filter(({ value }) => !asking.some((each) => each === value)),
  };
}
