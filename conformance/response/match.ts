import { isJsonObject, memberOf } from "../values/index.ts";

/** Where a value is not what a pattern asks for. */
export interface Mismatch {
  readonly at: string;
  readonly expected: string;
  readonly found: unknown;
}

/**
 * Holds a value against a pattern. An object asks for its members and ignores others, a list asks for exactly its
 * items, any other value for an equal value. An object with one member that starts with `$` asks for something else:
 * see docs/scenarios.md.
 */
export function mismatches(pattern: unknown, value: unknown, at = ""): readonly Mismatch[] {
  const condition = conditionOf(pattern);
  if (condition !== undefined) {
    const [name, given] = condition;
    const check = conditions.get(name);
    if (check === undefined) throw new Error(`a pattern asks for ${name}, which is not a check`);
    return check(given, value, at);
  }
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value)) return wrong(at, "a list", value);
    const counted =
      value.length === pattern.length ? [] : wrong(at, `${pattern.length} items`, `${value.length} items`);
    return [
      ...counted,
      ...pattern.flatMap((item, index) => mismatches(item, value[index], `${at}/${index}`)),
    ];
  }
  if (isJsonObject(pattern)) {
    if (!isJsonObject(value)) return wrong(at, "an object", value);
    return Object.entries(pattern).flatMap(([name, part]) =>
      mismatches(part, memberOf(value, name), `${at}/${name}`),
    );
  }
  return Object.is(pattern, value) || pattern === value ? [] : wrong(at, JSON.stringify(pattern), value);
}

type Condition = (given: unknown, value: unknown, at: string) => readonly Mismatch[];

function conditionOf(pattern: unknown): readonly [string, unknown] | undefined {
  if (!isJsonObject(pattern)) return undefined;
  const [only, more] = Object.entries(pattern);
  return only !== undefined && more === undefined && only[0].startsWith("$") ? only : undefined;
}

function wrong(at: string, expected: string, found: unknown): readonly Mismatch[] {
  return [{ at, expected, found }];
}

function test(holds: (given: unknown, value: unknown) => boolean, words: string): Condition {
  return (given, value, at) =>
    holds(given, value) ? [] : wrong(at, `${words} ${JSON.stringify(given)}`, value);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const same = (a: unknown, b: unknown): boolean =>
  mismatches(a, b).length === 0 && mismatches(b, a).length === 0;

const conditions: ReadonlyMap<string, Condition> = new Map<string, Condition>([
  ["$absent", (_given, value, at) => (value === undefined ? [] : wrong(at, "nothing", value))],
  ["$present", (_given, value, at) => (value === undefined ? wrong(at, "a value", value) : [])],
  [
    "$not",
    (given, value, at) =>
      mismatches(given, value).length > 0 ? [] : wrong(at, `not ${JSON.stringify(given)}`, value),
  ],
  ["$same", test(same, "exactly")],
  [
    "$matches",
    test(
      (given, value) => typeof value === "string" && new RegExp(String(given), "u").test(value),
      "a match of",
    ),
  ],
  [
    "$holds",
    test((given, value) => typeof value === "string" && value.includes(String(given)), "a text with"),
  ],
  ["$less", test((given, value) => isBefore(value, given), "less than")],
  ["$greater", test((given, value) => isBefore(given, value), "more than")],
  ["$atMost", test((given, value) => value !== undefined && !isBefore(given, value), "at most")],
  ["$atLeast", test((given, value) => value !== undefined && !isBefore(value, given), "at least")],
  ["$oneOf", test((given, value) => listOf(given).some((each) => same(each, value)), "one of")],
  [
    "$length",
    (given, value, at) =>
      mismatches(
        given,
        Array.isArray(value) || typeof value === "string" ? value.length : undefined,
        `${at}#length`,
      ),
  ],
  [
    "$contains",
    test(
      (given, value) => listOf(value).some((item) => mismatches(given, item).length === 0),
      "an item like",
    ),
  ],
  [
    "$lacks",
    test(
      (given, value) => Array.isArray(value) && !value.some((item) => mismatches(given, item).length === 0),
      "no item like",
    ),
  ],
  [
    "$each",
    (given, value, at) =>
      Array.isArray(value)
        ? value.flatMap((item, index) => mismatches(given, item, `${at}/${index}`))
        : wrong(at, "a list", value),
  ],
  ["$all", (given, value, at) => listOf(given).flatMap((part) => mismatches(part, value, at))],
  [
    "$secondsFromNow",
    test((given, value) => {
      const [least, most] = listOf(given);
      const seconds = (Date.parse(String(value)) - Date.now()) / 1000;
      return seconds >= Number(least) && seconds <= Number(most);
    }, "a time so many seconds from now, from and to"),
  ],
  [
    "$digitsModulo",
    test((given, value) => {
      const [modulus, rest] = listOf(given);
      if (typeof value !== "string" || !/^\d+$/.test(value)) return false;
      return BigInt(value) % BigInt(Number(modulus)) === BigInt(Number(rest));
    }, "digits whose remainder is"),
  ],
  [
    "$sameItems",
    test((given, value) => {
      const [wanted, found] = [listOf(given), listOf(value)];
      return wanted.length === found.length && wanted.every((each) => found.some((item) => same(each, item)));
    }, "in whatever order"),
  ],
  [
    "$unique",
    (_given, value, at) =>
      new Set(listOf(value).map((item) => JSON.stringify(item))).size === listOf(value).length
        ? []
        : wrong(at, "items that differ", value),
  ],
  [
    "$ascending",
    (_given, value, at) =>
      listOf(value).every((item, index, all) => index === 0 || !isBefore(item, all[index - 1]))
        ? []
        : wrong(at, "items in ascending order", value),
  ],
]);

function isBefore(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return a < b;
  return typeof a === "string" && typeof b === "string" && a < b;
}
