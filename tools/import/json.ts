import { pointerOf, stepsOf } from "../../conformance/values/index.ts";

/** A value of a JSON document. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: Json;
}

const depthMax = 500;

/**
 * A plain value as JSON: what JSON has no word for (YAML's infinities and dates) is text.
 *
 * @throws RangeError for a value that is nested too deeply
 */
export function jsonOf(value: unknown, depth = 0): Json {
  if (depth > depthMax) throw new RangeError(`it is nested more than ${depthMax} levels deep`);
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, depth + 1));
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, jsonOf(member, depth + 1)]));
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A member that the object has itself: `constructor` of `{}` does not count. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function textOf(value: Json | undefined, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === "string" && member.trim() !== "" ? member : undefined;
}

export function listOf(value: Json | undefined, name: string): readonly Json[] {
  const member = memberOf(value, name);
  return isList(member) ? member : [];
}

/** A JSON Pointer (RFC 6901) with more tokens behind it. */
export function pointerTo(pointer: string, ...tokens: readonly (string | number)[]): string {
  return pointer + pointerOf(tokens);
}

/** The tokens of a JSON Pointer in a URI's fragment; undefined if it is not a pointer. */
export function tokensOf(fragment: string): readonly string[] | undefined {
  if (fragment === "") return [];
  if (!fragment.startsWith("/")) return undefined;
  try {
    return stepsOf(decodeURIComponent(fragment));
  } catch {
    return undefined;
  }
}

/** The value at a pointer; `undefined` if it is missing. Only own members count. */
export function valueAt(document: Json, tokens: readonly string[]): Json | undefined {
  let at: Json | undefined = document;
  for (const token of tokens) {
    at = isList(at) ? (/^(0|[1-9]\d*)$/.test(token) ? at[Number(token)] : undefined) : memberOf(at, token);
    if (at === undefined) return undefined;
  }
  return at;
}
