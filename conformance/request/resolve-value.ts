import { isDeepStrictEqual } from "node:util";
import { isJsonObject, valueAt } from "../values/index.ts";

/** The value for `{{name}}`; `undefined` where there is none of that name. */
export type Lookup = (name: string) => unknown;

/** A value is needed that the access file does not have, or the module that it names does not give. */
export class MissingValue extends Error {
  readonly valueName: string;
  /** Why it is missing, after "which"; by default, the access file does not have it. */
  readonly why: string;

  constructor(name: string, why = "the access file does not have") {
    super(`there is no value ${name}`);
    this.valueName = name;
    this.why = why;
  }
}

const whole = /^\{\{([^{}]+)\}\}$/;
const within = /\{\{([^{}]+)\}\}/g;

/**
 * A value with everything put in: `{{name}}` alone is the value itself, within a text its text; an object with one
 * member that starts with `$` is made.
 * @throws MissingValue
 */
export function resolveValue(value: unknown, lookup: Lookup): unknown {
  if (typeof value === "string") return resolveText(value, lookup);
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, lookup));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (only !== undefined && entries.length === 1 && only[0].startsWith("$")) {
    const maker = makers.get(only[0]);
    if (maker !== undefined) return maker(resolveValue(only[1], lookup));
  }
  return fromEntries(entries.map(([name, part]) => [name, resolveValue(part, lookup)]));
}

/** As `Object.fromEntries`, and `__proto__` is a name like any other. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

/** The names that a value needs to be made. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [...value.matchAll(within)].map(([, name = ""]) => name);
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isJsonObject(value) ? Object.values(value).flatMap(namesIn) : [];
}

function resolveText(text: string, lookup: Lookup): unknown {
  const found = (name: string): unknown => {
    const value = lookup(name);
    if (value === undefined) throw new MissingValue(name);
    return value;
  };
  const name = whole.exec(text)?.[1];
  if (name !== undefined) return found(name);
  return text.replaceAll(within, (_match, inner: string) => String(found(inner)));
}

const makers: ReadonlyMap<string, (given: unknown) => unknown> = new Map<string, (given: unknown) => unknown>(
  [
    ["$repeat", (given) => repeated(given)],
    ["$list", (given) => listed(given)],
    ["$base64", (given) => base64(String(given))],
    ["$basic", (given) => `Basic ${base64(pair(given).join(":"))}`],
    ["$basicWithoutWord", (given) => base64(pair(given).join(":"))],
    ["$sum", (given) => decimalText(listOf(given).reduce<bigint>((sum, value) => sum + scaled(value), 0n))],
    [
      "$difference",
      (given) => {
        const [first = 0, ...others] = listOf(given);
        return decimalText(others.reduce<bigint>((rest, value) => rest - scaled(value), scaled(first)));
      },
    ],
    [
      "$pick",
      (given) => {
        const [items, name] = pair(given);
        return listOf(items).map((item) => valueAt(item, `/${String(name)}`));
      },
    ],
    [
      "$slice",
      (given) => {
        const [items, from, to] = listOf(given);
        return listOf(items).slice(Number(from), Number(to));
      },
    ],
    ["$concat", (given) => listOf(given).flatMap(listOf)],
    ["$count", (given) => listOf(given).length],
    [
      "$equal",
      (given) => {
        const [one, other] = pair(given);
        return isDeepStrictEqual(one, other) ? 1 : 0;
      },
    ],
    [
      "$insert",
      (given) => {
        const [text, at, part] = listOf(given);
        return `${String(text).slice(0, Number(at))}${String(part)}${String(text).slice(Number(at))}`;
      },
    ],
    ["$text", (given) => listOf(given).join("")],
    ["$byte", (given) => byteMark(Number(given))],
    ["$bearer", (given) => `Bearer ${base64(pair(given).join(":"))}`],
  ],
);

/** Stands for a byte of its own until the text becomes bytes: `{ $byte: 255 }` is no UTF-8. */
function byteMark(byte: number): string {
  return String.fromCharCode(byteMarks + byte);
}

const byteMarks = 0xf700;

/** The bytes of a text in which marks of bytes stand. */
export function bytesOf(text: string): Buffer {
  if (!/[\uF700-\uF7FF]/.test(text)) return Buffer.from(text);
  const parts = text.split(/([\uF700-\uF7FF])/);
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) - byteMarks),
    ),
  );
}

const decimals = 6;

/** An amount in millionths: sums of amounts are exact. */
function scaled(value: unknown): bigint {
  const [whole = "0", fraction = ""] = Number(value).toFixed(decimals).split(".");
  return BigInt(`${whole}${fraction}`);
}

function decimalText(value: bigint): number {
  const text = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  return Number(`${value < 0n ? "-" : ""}${text.slice(0, -decimals)}.${text.slice(-decimals)}`);
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [];
}

function pair(given: unknown): readonly [unknown, unknown] {
  return Array.isArray(given) ? [given[0], given[1]] : [undefined, undefined];
}

function repeated(given: unknown): string {
  const [text, times] = pair(given);
  return String(text).repeat(Number(times));
}

function listed(given: unknown): unknown[] {
  const [item, length] = pair(given);
  return Array.from({ length: Number(length) }, () => item);
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/**
 * A placeholder for a missing sample, in a request that is refused before the service looks it up. It must be
 * readable, so that the service finds the fault that the case is about.
 */
export function dummyOf(name: string): string {
  return name === "callbackUrl" ? "https://hooks.example.com/any" : `any-${name}`;
}
