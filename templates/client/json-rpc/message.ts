import type { Method } from "./method.ts";

/** Identifies a call, so that its answer is known. */
export type Id = string | number;

/** The text of a call, or of a notification where it has no id (JSON-RPC 2.0, section 4). */
export function messageText({ name }: Method, params: string | undefined, id?: Id): string {
  const head = JSON.stringify({ jsonrpc: "2.0", id, method: name });
  return params === undefined ? head : `${head.slice(0, -1)},"params":${params}}`;
}

/**
 * The text of a call's parameters, by name or by position (section 4.2). By position, what is left out before a parameter
 * that is given is `null`. Throws a `TypeError` for a payload that cannot be written so.
 */
export function paramsText(method: Method, payload: object = {}): string | undefined {
  const given = new Map(Object.entries(payload).filter(([, value]) => value !== undefined));
  if (method.params !== "by-position") {
    return given.size === 0 && method.parameters.length === 0 ? undefined : jsonText(payload);
  }
  const unknown = [...given.keys()].find((name) => !method.parameters.includes(name));
  if (unknown !== undefined) throw new TypeError(`${method.name} has no parameter ${unknown}`);
  const count = method.parameters.findLastIndex((name) => given.has(name)) + 1;
  const values = method.parameters.slice(0, count).map((name) => {
    if (given.has(name)) return given.get(name);
    if (!method.nullable?.includes(name)) return null;
    throw new TypeError(`${method.name}: ${name} cannot be left out, for it has a position before others`);
  });
  return jsonText(values);
}

/** JSON with every digit of a `bigint`. Throws a `TypeError` for a number that JSON cannot say. */
export function jsonText(value: unknown): string {
  const mark = `"${crypto.randomUUID()}`;
  const text = JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === "number" && !Number.isFinite(member)) throw new TypeError(`${name} is ${member}`);
    return typeof member === "bigint" ? `${mark.slice(1)}${member}` : member;
  });
  const [start = "", ...rest] = text.split(mark);
  return start + rest.map((part) => part.replace('"', "")).join("");
}
