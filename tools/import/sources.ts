import { escaped } from "../../conformance/values/index.ts";
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  memberOf,
  pointerTo,
  textOf,
  tokensOf,
  valueAt,
} from "./json.ts";

/** A part of a document. `uri` is empty for the document that is imported. */
export interface Site {
  readonly uri: string;
  /** JSON Pointer (RFC 6901) within its document. */
  readonly pointer: string;
  readonly value: Json;
  /** Keywords that are dealt with already. */
  readonly without?: ReadonlySet<string>;
}

/** Reads another document that a `$ref` names, or says why not. */
export type ReadExternal = (
  uri: string,
) => { readonly uri: string; readonly document: Json } | { readonly problem: string };

export interface Sources {
  readonly root: Site;
  /** The target of a `$ref` at a place, references followed once. */
  follow(reference: string, from: Site): Site | { readonly problem: string };
}

/** The documents of one import. Nothing is read twice, and nothing but what `readExternal` gives. */
export function sourcesOf(document: Json, readExternal: ReadExternal): Sources {
  const documents = new Map<string, Json>([["", document]]);
  const aliases = new Map<string, string>();
  const resources = new Map<string, readonly IdentifiedResource[]>();
  return {
    root: { uri: "", pointer: "", value: document },
    follow(reference, from) {
      const [address = "", fragment = ""] = splitReference(reference);
      const tokens = tokensOf(fragment);
      if (tokens === undefined) {
        return { problem: `\`${shown(reference)}\` names no place: only JSON Pointers are followed` };
      }
      const roots = rootsOf(address, from);
      if ("problem" in roots) return roots;
      for (const { uri, path } of roots) {
        const value = valueAt(documents.get(uri) ?? null, [...path, ...tokens]);
        if (value !== undefined) return { uri, pointer: pointerTo("", ...path, ...tokens), value };
      }
      return { problem: `\`${shown(reference)}\` leads nowhere` };
    },
  };

  /** The schemas that an address may mean, the likeliest first. An empty one is the schema around, or its document. */
  function rootsOf(address: string, from: Site): readonly Resource[] | { readonly problem: string } {
    const nearest = resourcesOf(from.uri).findLast(({ pointer }) => isWithin(from.pointer, pointer));
    if (address === "") {
      const whole = { uri: from.uri, path: [] };
      return nearest === undefined ? [whole] : [nearest, whole];
    }
    const literal = resolveAgainst(from.uri, address);
    const atBase = nearest && rootAt(absoluteOf(address, nearest.id));
    return atBase === undefined || "problem" in atBase ? rootAt(literal) : atBase;
  }

  function rootAt(address: string): readonly Resource[] | { readonly problem: string } {
    const known = [...documents.keys()].flatMap(resourcesOf).find(({ id }) => id === address);
    if (known !== undefined) return [known];
    const opened = openExternal(address);
    return typeof opened === "string" ? [{ uri: opened, path: [] }] : opened;
  }

  function resourcesOf(uri: string): readonly IdentifiedResource[] {
    const known = resources.get(uri);
    if (known !== undefined) return known;
    const found = identifiedIn(documents.get(uri) ?? null, uri);
    resources.set(uri, found);
    return found;
  }

  function openExternal(address: string): string | { readonly problem: string } {
    const known = aliases.get(address);
    if (known !== undefined) return known;
    const opened = readExternal(address);
    if ("problem" in opened) return opened;
    if (!documents.has(opened.uri)) documents.set(opened.uri, opened.document);
    aliases.set(address, opened.uri);
    return opened.uri;
  }
}

/** A schema by its document and its place there. */
interface Resource {
  readonly uri: string;
  readonly path: readonly string[];
}

interface IdentifiedResource extends Resource {
  readonly id: string;
  readonly pointer: string;
}

/** The schemas of a document that have an `$id`, `id` in draft-04: outer ones first. */
function identifiedIn(document: Json, uri: string): readonly IdentifiedResource[] {
  const keyword = /draft-04/.test(textOf(document, "$schema") ?? "") ? "id" : "$id";
  const found: IdentifiedResource[] = [];
  const walk = (value: Json, path: readonly string[], base: string): void => {
    if (isList(value)) return value.forEach((item, index) => walk(item, [...path, String(index)], base));
    if (!isObject(value)) return;
    const given = textOf(value, keyword);
    const id = given === undefined || given.startsWith("#") ? base : absoluteOf(given, base);
    if (id !== base) found.push({ uri, path, id, pointer: pointerTo("", ...path) });
    for (const [name, member] of Object.entries(value))
      if (!valueKeywords.has(name)) walk(member, [...path, name], id);
  };
  walk(document, [], uri);
  return found;
}

/** Keywords that hold values, in which an `$id` means nothing. */
const valueKeywords: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples"]);

/** An address made absolute, without an empty fragment; as it stands where the base has no scheme. */
function absoluteOf(address: string, base: string): string {
  return (URL.parse(address, base === "" ? undefined : base)?.href ?? address).replace(/#$/, "");
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** The members of a schema at a site that are left to be dealt with. */
export function keywordsOf({ value, without }: Site): JsonObject {
  if (!isObject(value)) return {};
  if (without === undefined) return value;
  return Object.fromEntries(Object.entries(value).filter(([keyword]) => !without.has(keyword)));
}

/** A part of a site's value. */
export function inside(site: Site, ...tokens: readonly (string | number)[]): Site {
  let value: Json = site.value;
  for (const token of tokens) {
    value = (Array.isArray(value) ? value[Number(token)] : memberOf(value, String(token))) ?? null;
  }
  return {
    uri: site.uri,
    pointer: [site.pointer, ...tokens.map((token) => escaped(String(token)))].join("/"),
    value,
  };
}

/** Where a site is, for people: the pointer, after the address of another document. */
export function placeOf({ uri, pointer }: Pick<Site, "uri" | "pointer">): string {
  return `${uri}#${pointer}`;
}

/** A text of the document as a message shows it: one line, cut. */
export function shown(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what a terminal would obey
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "?");
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

function splitReference(reference: string): readonly string[] {
  const at = reference.indexOf("#");
  return at === -1 ? [reference, ""] : [reference.slice(0, at), reference.slice(at + 1)];
}

/** A relative address within the folder of another external document; addresses with a scheme stand for themselves. */
function resolveAgainst(base: string, address: string): string {
  if (base === "" || /^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith("/")) return address;
  const folder = base.slice(0, base.lastIndexOf("/") + 1);
  return folder + address;
}
