import { convertSchema } from "./convert.ts";
import { isObject, memberOf, textOf, type Json, listOf } from "./json.ts";
import { importMethods, type ParamsStyle } from "./methods.ts";
import { typeDefinition, type Written } from "./print-types.ts";
import { verdictOf, type ImportReport } from "./findings.ts";
import { inside, sourcesOf, type ReadExternal, type Site } from "./sources.ts";
import { createTypeTable, type TypeEntry, type TypeTable } from "./type-table.ts";
import { type Conversion, pick } from "./flatten.ts";
import { checkedSpec, type ImportDraft, type SpecFiles } from "./check-spec.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { ownExtensions } from "./remarks.ts";

export interface ImportOptions {
  /** Name of the interface: lower-case words with hyphens. */
  readonly name: string;
  /** How parameters are written where a method says nothing else. */
  readonly params: ParamsStyle;
  /** Whether a constraint that the language has no word for is dropped, instead of what has it refused. */
  readonly lossy: boolean;
  readonly readExternal: ReadExternal;
  /** How many schemas are converted at most. */
  readonly schemasMax?: number;
}

export interface Imported {
  /** The files of the spec by name; absent if the document cannot be imported. */
  readonly files?: SpecFiles;
  readonly report: ImportReport;
}

const usualSchemasMax = 50_000;

/**
 * A spec from an OpenRPC document (1.2 to 1.4) or a JSON Schema (draft-04 to 2020-12), and a report of what could
 * not be taken. Pure; reads nothing but what `readExternal` gives.
 */
export function importDocument(document: Json, options: ImportOptions): Imported {
  const problem = documentProblem(document);
  if (problem !== undefined) return { report: { entries: [], problem } };
  const first = converted(document, options, new Set());
  const weakened = options.lossy ? weakenedTypes(first.table) : new Set<string>();
  // The members that an alternative lacks are known once every type is converted; a `oneOf` of it is then taken as an
  // `anyOf`.
  return checkedSpec(weakened.size === 0 ? first : converted(document, options, weakened));
}

function converted(document: Json, options: ImportOptions, weakened: ReadonlySet<string>): ImportDraft {
  const conversion: Conversion = {
    sources: sourcesOf(document, options.readExternal),
    types: createTypeTable(),
    lossy: options.lossy,
    weakened,
    budget: options.schemasMax ?? usualSchemasMax,
    depth: 0,
  };
  for (const site of componentSites(conversion.sources.root)) conversion.types.at(site);
  const { methods, errors } = importMethods(conversion, options.params);
  const types = printTypes(conversion);
  return {
    methods,
    types,
    table: conversion.types,
    interface: interfaceDefinition(document, options.name, options.params),
    errors: errors.all(),
  };
}

/** Those that lack something themselves, and those that are made of them. */
function weakenedTypes(types: TypeTable): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const { name, uses } of types.all())
    for (const used of uses) users.set(used, [...(users.get(used) ?? []), name]);
  const weakened = new Set<string>();
  const open = types
    .all()
    .flatMap(({ name, findings }) => (verdictOf(findings) === "weakened" ? [name] : []));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (weakened.has(name)) continue;
    weakened.add(name);
    open.push(...(users.get(name) ?? []));
  }
  return weakened;
}

function documentProblem(document: Json): string | undefined {
  if (!isObject(document)) return "the document is no JSON object";
  const version = memberOf(document, "openrpc");
  if (version !== undefined) {
    if (typeof version !== "string" || !/^1\.\d+\.\d+/.test(version)) {
      return "the document's `openrpc` is no version 1.x of OpenRPC";
    }
    if (memberOf(document, "x-frame") !== undefined)
      return "`x-frame` gives the members of messages other names than JSON-RPC 2.0: use the spec that the document was made from";
    return Array.isArray(document.methods) ? undefined : "an OpenRPC document has a list of `methods`";
  }
  if (memberOf(document, "openapi") !== undefined || memberOf(document, "swagger") !== undefined) {
    return "this is an OpenAPI document: only OpenRPC and JSON Schema are imported";
  }
  const dialect = textOf(document, "$schema");
  if (dialect !== undefined && !/draft-0[467]|2019-09|2020-12/.test(dialect)) {
    return `the dialect ${JSON.stringify(dialect.slice(0, 80))} is not known: draft-04 to 2020-12 are`;
  }
  const isSchema = [
    "$schema",
    "$defs",
    "definitions",
    "type",
    "properties",
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "enum",
  ];
  if (isSchema.some((keyword) => Object.hasOwn(document, keyword))) return undefined;
  return "this is neither an OpenRPC document (`openrpc`) nor a JSON Schema (`$schema`, `$defs`, `type` …)";
}

/** The named schemas of the document, in its order; the root where it is a schema itself. */
function componentSites(root: Site): readonly Site[] {
  const sites: Site[] = [];
  for (const path of [["components", "schemas"], ["$defs"], ["definitions"]]) {
    const group = inside(root, ...path);
    if (isObject(group.value)) sites.push(...Object.keys(group.value).map((name) => inside(group, name)));
  }
  const isSchema = memberOf(root.value, "openrpc") === undefined;
  const words = ["type", "properties", "$ref", "allOf", "anyOf", "oneOf", "enum", "const", "items"];
  if (isSchema && words.some((word) => memberOf(root.value, word) !== undefined)) sites.push(root);
  return sites;
}

/** Each conversion may meet further types: those are converted, too. */
function printTypes(conversion: Conversion): ReadonlyMap<TypeEntry, Written> {
  const { types } = conversion;
  const printed = new Map<TypeEntry, Written>();
  for (let more = true; more;) {
    more = false;
    for (const entry of types.all()) {
      if (printed.has(entry)) continue;
      more = true;
      const shape = entry.shape ?? convertSchema([entry.site], entry.name, entry, conversion);
      printed.set(entry, {});
      printed.set(entry, typeDefinition(shape, entry.name, { types, owner: entry, site: entry.site }));
    }
  }
  return printed;
}

/** The `interface` of the imported spec. What the spec language has no key for travels as `x-openrpc`. */
function interfaceDefinition(document: Json, name: string, params: ParamsStyle): Written {
  const info = memberOf(document, "info") ?? {};
  const version = textOf(info, "version");
  const isRevision = version !== undefined && /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version);
  const doc = textOf(info, "description") ?? textOf(document, "description");
  const words = pick(info, ["termsOfService", "contact", "license"]);
  const carried: Record<string, Json> = {
    ...pick(document, ["servers", "externalDocs", "tags"]),
    ...omitUndefined({
      info: Object.keys(words).length === 0 ? undefined : words,
      version: version === undefined || isRevision ? undefined : version,
    }),
    ...componentLinks(document),
  };
  return {
    name,
    title: textOf(info, "title") ?? textOf(document, "title") ?? name,
    revision: isRevision ? version : "1.0.0",
    ...omitUndefined({ doc }),
    wire: { protocol: "json-rpc-2.0", params, http: { path: pathOf(document) } },
    ...ownExtensions(document),
    ...ownExtensions(info),
    ...omitUndefined({ "x-openrpc": Object.keys(carried).length === 0 ? undefined : carried }),
  };
}

/** Links are kept whole where methods refer to them. */
function componentLinks(document: Json): Record<string, Json> {
  const components = pick(memberOf(document, "components") ?? {}, ["links", "tags"]);
  return Object.keys(components).length === 0 ? {} : { components };
}

/** The path of the first server, where it is a plain one. */
function pathOf(document: Json): string {
  const [server] = listOf(document, "servers");
  const url = isObject(server) ? textOf(server, "url") : undefined;
  const path = url !== undefined && URL.canParse(url) ? new URL(url).pathname : url;
  return path !== undefined && /^\/[A-Za-z0-9._~/-]+$/.test(path) ? path : "/rpc";
}
