import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { matches } from "../../generator/language/structure/schema.ts";
import { pascalCase } from "../../generator/model/names.ts";
import { languageOf } from "../../generator/protocols/languages.ts";
import { convertSchema } from "./convert.ts";
import { cannotSay, type Dropped, newOwner, noteReading, type Owner, refuse } from "./findings.ts";
import { type Conversion, followed, pick } from "./flatten.ts";
import { canonicalText } from "../../conformance/values/index.ts";
import { isObject, type Json, listOf, memberOf, textOf } from "./json.ts";
import { examplesOf } from "./method-examples.ts";
import { isFieldName } from "./objects.ts";
import { fieldDefinition, placedDefinition, type Printing, type Written } from "./print-types.ts";
import { ownExtensions, withExtension } from "./remarks.ts";
import { anything, type Field, isNull, type Shape } from "./shape.ts";
import { inside, shown, type Site } from "./sources.ts";

export type ParamsStyle = "by-name" | "by-position" | "either";

/** A method of the imported spec. */
export interface MethodEntry extends Owner {
  readonly name: string;
  readonly site: Site;
  /** Absent where the runtime has the method by itself. */
  readonly definition?: Written;
}

export interface MethodImport {
  readonly methods: readonly MethodEntry[];
  readonly errors: ErrorTable;
}

/** All methods of an OpenRPC document. `style` is that of the interface. */
export function importMethods(conversion: Conversion, style: ParamsStyle): MethodImport {
  const { root } = conversion.sources;
  const errors = createErrorTable(conversion);
  const seen = new Set<string>();
  const methods: MethodEntry[] = [];
  listOf(root.value, "methods").forEach((_, index) => {
    const owner = newOwner();
    const site = followed(inside(root, "methods", index), conversion, owner);
    // A reference that leads nowhere is refused as one.
    const isThere = owner.findings.length === 0;
    methods.push(
      isThere
        ? importMethod(site, index, seen, conversion, errors, style)
        : { ...owner, name: `methods/${index}`, site },
    );
  });
  return { methods, errors };
}

function importMethod(
  site: Site,
  index: number,
  seen: Set<string>,
  conversion: Conversion,
  errors: ErrorTable,
  style: ParamsStyle,
): MethodEntry {
  const owner = newOwner();
  const { value } = site;
  const name = textOf(value, "name") ?? "";
  const shownName = name === "" ? `methods/${index}` : name;
  if (name === "") refuse(site, "the method has no name", owner);
  else if (name === "rpc.discover" && !seen.has(name)) {
    seen.add(name);
    noteReading(site, "every service answers `rpc.discover` by itself, with its own document", owner);
    return { ...owner, name, site };
  } else if (name.startsWith("rpc.") && !seen.has(name))
    refuse(site, "names that start with `rpc.` are the protocol's own (JSON-RPC 2.0, section 4)", owner);
  else if (!matches(languageOf("json-rpc-2.0").methodName.pattern, name))
    refuse(site, `\`${shown(name)}\` is no name that a method may have`, owner);
  else if (seen.has(name)) refuse(site, `\`${shown(name)}\` is described twice; the first counts`, owner);
  seen.add(name);
  const printing: Printing = { types: conversion.types, owner, site };
  const fields = parametersOf(site, owner, conversion);
  const own = structureOf(site, fields, { owner, style, conversion });
  const result = resultOf(site, name, owner, conversion, printing);
  const doc = textOf(value, "description") ?? textOf(value, "summary");
  const summary = textOf(value, "description") === undefined ? undefined : textOf(value, "summary");
  const carried = { ...pick(value, ["tags", "servers", "links", "externalDocs"]), ...result.extra };
  const given = errors.of(site, owner, result.notify === undefined);
  const examples = examplesOf(site, fields, conversion);
  const definition: Written = omitUndefined({
    doc,
    ...omitUndefined({
      deprecated: memberOf(value, "deprecated") === true ? "Deprecated." : undefined,
      params: own === undefined || own === style ? undefined : own,
    }),
    notify: result.notify,
    payload: { fields: fields.map((field) => fieldDefinition(field, pascalCase(name), printing)) },
    result: result.type,
    ...omitUndefined({
      errors:
        given.names.length === 0 ? undefined : Object.fromEntries(given.names.map((each) => [each, {}])),
      examples: examples.examples.length === 0 ? undefined : examples.examples,
    }),
    "x-dropped": given.dropped,
    "x-summary": summary,
    ...ownExtensions(value),
    ...omitUndefined({
      "x-openrpc":
        Object.keys(carried).length + Object.keys(given.extra).length === 0
          ? undefined
          : { ...carried, ...given.extra },
      "x-examples": examples.others.length === 0 ? undefined : examples.others,
    }),
  });
  return { ...owner, name: shownName, site, definition };
}

/**
 * How the parameters of a method are written, where it says that; by name alone where positions cannot tell them. `null` holds
 * the place of an optional parameter before a required one, unless it is a value of that parameter.
 */
function structureOf(
  site: Site,
  fields: readonly Field[],
  {
    owner,
    style,
    conversion,
  }: { readonly owner: Owner; readonly style: ParamsStyle; readonly conversion: Conversion },
): ParamsStyle | undefined {
  const { lossy, types } = conversion;
  const said = paramStructure(site, owner);
  const late = fields.findIndex(
    (field, at) =>
      !field.optional && fields.slice(0, at).some((each) => each.optional && takesNull(each.shape, types)),
  );
  const effective = said ?? style;
  if (effective === "by-name" || late === -1) return said;
  const reason =
    "a required parameter after an optional one that may be `null`: by position, `null` cannot leave it out";
  const place = inside(site, "params", late);
  if (effective === "either" && lossy) {
    cannotSay(place, `${reason}. Parameters are taken by name alone`, { owner, lossy });
    return "by-name";
  }
  refuse(place, `${reason}. Use \`--params by-name\`, or make it optional`, owner);
  return said;
}

/** Whether `null` may be a value of a shape: of a named type, unless its own words rule that out. */
function takesNull(shape: Shape, types: Conversion["types"]): boolean {
  switch (shape.kind) {
    case "nullable":
      return true;
    case "scalar":
      return isNull(shape) || shape.type === "json";
    case "union":
      return shape.alternatives.some((each) => takesNull(each, types));
    case "ref": {
      const named = types.named(shape.type);
      if (named?.shape !== undefined) return takesNull(named.shape, types);
      const type = memberOf(named?.site.value, "type");
      return (
        type === undefined ||
        [type].flat().includes("null") ||
        memberOf(named?.site.value, "nullable") === true
      );
    }
    default:
      return false;
  }
}

/** The parameters of a method, in the order of their positions. */
export function parametersOf(site: Site, owner: Owner, conversion: Conversion): readonly Field[] {
  const method = textOf(site.value, "name") ?? "";
  const fields: Field[] = [];
  const names = new Set<string>();
  listOf(site.value, "params").forEach((_, index) => {
    const param = followed(inside(site, "params", index), conversion, owner);
    const name = textOf(param.value, "name");
    if (name === undefined || !isFieldName(name)) {
      refuse(
        param,
        name === undefined
          ? "the parameter has no name"
          : `\`${shown(name)}\` is no name that a parameter may have`,
        owner,
      );
      return;
    }
    if (names.has(name)) return refuse(param, `the parameter \`${shown(name)}\` is described twice`, owner);
    names.add(name);
    const optional = memberOf(param.value, "required") !== true;
    fields.push({
      name,
      optional,
      shape: described(param, `${pascalCase(method)}${pascalCase(name)}`, owner, conversion),
    });
  });
  return fields;
}

/** The schema of a content descriptor; what the descriptor says of itself goes before what its schema says. */
function described(descriptor: Site, name: string, owner: Owner, conversion: Conversion): Shape {
  const { value } = descriptor;
  const schema = memberOf(value, "schema");
  if (schema === undefined) refuse(descriptor, "the content descriptor has no schema", owner);
  const shape =
    schema === undefined ? anything : convertSchema([inside(descriptor, "schema")], name, owner, conversion);
  const [doc, summary] = [textOf(value, "description"), textOf(value, "summary")];
  let described: Shape = { ...shape, extensions: { ...shape.extensions, ...ownExtensions(value) } };
  if (doc !== undefined && shape.doc !== undefined && doc !== shape.doc)
    described = withExtension(described, "x-schema-doc", shape.doc);
  if (doc !== undefined && summary !== undefined) described = withExtension(described, "x-summary", summary);
  const said = doc ?? summary;
  return omitUndefined({
    ...described,
    doc: said,
    ...omitUndefined({ deprecated: memberOf(value, "deprecated") === true ? "Deprecated." : undefined }),
  });
}

interface Result {
  readonly type?: string | Written;
  readonly notify?: "only";
  readonly extra: Written;
}

function resultOf(
  site: Site,
  method: string,
  owner: Owner,
  conversion: Conversion,
  printing: Printing,
): Result {
  const descriptor = memberOf(site.value, "result");
  if (descriptor === undefined) return { notify: "only", extra: {} };
  const result = followed(inside(site, "result"), conversion, owner);
  if (!isObject(result.value)) {
    refuse(result, "a result is a content descriptor", owner);
    return { extra: {} };
  }
  const name = `${pascalCase(method)}Result`;
  const schema = memberOf(result.value, "schema");
  if (schema === undefined) refuse(result, "the content descriptor has no schema", owner);
  const shape =
    schema === undefined ? anything : convertSchema([inside(result, "schema")], name, owner, conversion);
  const words = pick(result.value, ["name", "summary", "description", "required", "deprecated"]);
  const own = ownExtensions(result.value);
  return { type: placedDefinition(shape, name, printing), extra: { result: { ...words, ...own } } };
}

function paramStructure(site: Site, owner: Owner): ParamsStyle | undefined {
  const value = memberOf(site.value, "paramStructure");
  if (value === undefined || value === "by-name" || value === "by-position" || value === "either")
    return value;
  refuse(inside(site, "paramStructure"), "it is by-name, by-position or either", owner);
  return undefined;
}

/** The errors of one import, each described once, by name. */
interface ErrorTable {
  /** The names of a method's errors; errors with codes of the protocol's own are carried along. */
  of(method: Site, owner: Owner, isAnswered: boolean): ErrorsOfMethod;
  all(): Readonly<Record<string, Written>>;
}

interface ErrorsOfMethod {
  readonly names: readonly string[];
  readonly extra: Record<string, Json>;
  /** The errors that no caller would ever get. */
  readonly dropped?: Dropped;
}

function createErrorTable(conversion: Conversion): ErrorTable {
  const byContent = new Map<string, string>();
  const definitions: Record<string, Written> = {};
  return {
    all: () => definitions,
    of(method, owner, isAnswered) {
      const names = new Set<string>();
      const standard: Json[] = [];
      const lost: Json[] = [];
      listOf(method.value, "errors").forEach((_, index) => {
        const error = followed(inside(method, "errors", index), conversion, owner);
        const code = memberOf(error.value, "code");
        const message = textOf(error.value, "message");
        if (typeof code !== "number" || !Number.isSafeInteger(code) || message === undefined) {
          return refuse(error, "an error has a whole number as code, and a message", owner);
        }
        if (isReserved(code)) standard.push(error.value);
        else if (isAnswered) names.add(named(error, code, message));
        else lost.push(error.value);
      });
      if (lost.length > 0)
        cannotSay(
          inside(method, "errors"),
          "a method without a result is a notification, which has no answer and so no error",
          { owner, lossy: conversion.lossy },
        );
      return omitUndefined({
        names: [...names],
        extra: standard.length === 0 ? {} : { errors: standard },
        dropped: lost.length === 0 ? undefined : { errors: lost },
      });
    },
  };

  function named(error: Site, code: number, message: string): string {
    const data = memberOf(error.value, "data");
    const content = canonicalText([code, message, data ?? null, data === undefined]);
    const known = byContent.get(content);
    if (known !== undefined) return known;
    const key = /^\/components\/errors\/([^/]+)$/.exec(error.pointer)?.[1];
    const base =
      key !== undefined && isErrorName(key) ? key : `ERROR_${code < 0 ? "MINUS_" : ""}${Math.abs(code)}`;
    let name = base;
    for (let n = 2; Object.hasOwn(definitions, name); n += 1) name = `${base}_${n}`;
    byContent.set(content, name);
    definitions[name] = omitUndefined({ code, message, "x-data": data });
    return name;
  }
}

/** Codes that the protocol gives itself (JSON-RPC 2.0, section 5.1): no handler throws them. */
function isReserved(code: number): boolean {
  return code === -32700 || (code >= -32603 && code <= -32600);
}

function isErrorName(name: string): boolean {
  return /^[\p{L}_$][\p{L}\p{M}\p{N}_$.-]*$/u.test(name) && name !== "__proto__";
}
