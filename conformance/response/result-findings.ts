import { omitUndefined } from "../base/omit-undefined.ts";
import type { Level } from "../suite/level.ts";
import {
  accepts,
  isJsonObject,
  memberOf,
  partAt,
  type Problem,
  problemsOf,
  type Reading,
  type ResolvedShape,
  type Shape,
  stepsOf,
  wireNames,
} from "../values/index.ts";
import { type Finding, finding, formatValue, originOf } from "./finding.ts";
import { mismatches } from "./match.ts";

/** The findings on a result: its schema, its doubled spellings, undeclared members. */
export function resultFindings(shape: Shape, result: unknown, reading: Reading): readonly Finding[] {
  return [
    ...problemsOf(shape, result, reading).map((problem) => schemaFinding(problem, result)),
    ...walk(shape, result, "", reading),
  ];
}

function schemaFinding(problem: Problem, result: unknown): Finding {
  const { at, expected, found, field, spellingOf } = problem;
  const isSpelling = spellingOf !== undefined;
  const where = isSpelling ? at.replaceAll(/(?<=\/)\d+(?=\/)/g, "*") : at;
  return omitUndefined({
    check: isSpelling ? "spelling" : "schema",
    level: levelOf(problem, result),
    expected: `${where === "" ? "the result" : where} to be ${expected}`,
    found: formatValue(found),
    origin: field === undefined ? undefined : originOf(field),
    // A field has its second spelling everywhere or nowhere.
    ofEveryAnswer: isSpelling ? true : undefined,
  });
}

/** The document's tables bind every service; exact forms were decided. */
function levelOf({ kind, found, at, field, spellingOf }: Problem, result: unknown): Level {
  if (spellingOf !== undefined) return "decisions";
  switch (kind) {
    case "absent":
      return hasOtherSpelling(at, field?.alsoSentAs, result) ? "decisions" : "document";
    case "type":
    case "value":
    case "alternative":
    case "surplus":
      return "document";
    case "format":
      return typeof found === "string" && isSomeTime(found) ? "decisions" : "document";
    default:
      return "decisions";
  }
}

function hasOtherSpelling(at: string, other: string | undefined, result: unknown): boolean {
  if (other === undefined) return false;
  return partAt(result, [...stepsOf(at).slice(0, -1), other]) !== undefined;
}

/** ISO 8601 with a time zone, however many digits its seconds have. */
function isSomeTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) &&
    /(?:Z|[+-]\d\d:?\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

/**
 * A result as its shape names it. Members that a service adds are left out. A field that came under its second name alone
 * is read under its first: D-12 decides that both are sent.
 */
export function declaredPart(shape: Shape, value: unknown, reading: Reading): unknown {
  const resolved = reading.resolve(shape);
  if (resolved.kind === "array")
    return Array.isArray(value) ? value.map((item) => declaredPart(resolved.items, item, reading)) : value;
  if (resolved.kind === "nullable")
    return value === null ? value : declaredPart(resolved.shape, value, reading);
  if (resolved.kind !== "object" || !isJsonObject(value)) return value;
  const fields = new Map(
    resolved.fields.flatMap((field) => wireNames(field, reading).map((name) => [name, field] as const)),
  );
  return Object.fromEntries(
    Object.entries(value).flatMap(([sent, part]: [string, unknown]) => {
      const field = fields.get(sent);
      if (field === undefined) return [];
      const read = declaredPart(field.shape, part, reading);
      const isAlone = sent !== field.name && !Object.hasOwn(value, field.name);
      return isAlone ? [[sent, read] as const, [field.name, read] as const] : [[sent, read] as const];
    }),
  );
}

/** Fields sent twice have one value; members that no field declares are strangers. */
function walk(shape: Shape, value: unknown, at: string, reading: Reading): readonly Finding[] {
  const resolved = reading.resolve(shape);
  if (resolved.kind === "array")
    return Array.isArray(value)
      ? value.flatMap((item, index) => walk(resolved.items, item, `${at}/${index}`, reading))
      : [];
  const within = shapesWithin(resolved, value, reading);
  if (within !== undefined) {
    const findings = within.flatMap(([step, part, of]) =>
      walk(of, part, step === undefined ? at : `${at}/${step}`, reading),
    );
    const known = membersBeside(resolved, reading);
    if (known.length === 0) return findings;
    const declared = new Set(known.map((name) => `${at}/${name}`));
    return findings.filter(({ check, found }) => check !== "undeclared-member" || !declared.has(found));
  }
  if (resolved.kind !== "object" || !isJsonObject(value)) return [];
  const declared = new Set(resolved.fields.flatMap((field) => wireNames(field, reading)));
  const strangers = Object.keys(value).filter((name) => !declared.has(name));
  return [
    ...strangers.map((name) => {
      const expected = "only members that the interface declares";
      return finding("undeclared-member", "strict", expected, `${at}/${name}`);
    }),
    ...resolved.fields.flatMap((field) => {
      const [one, other] = wireNames(field, reading).map((name) => memberOf(value, name));
      const inner = one === undefined ? [] : walk(field.shape, one, `${at}/${field.name}`, reading);
      if (one === undefined || other === undefined || JSON.stringify(one) === JSON.stringify(other))
        return inner;
      const words = `${at}/${field.alsoSentAs} to be ${formatValue(one)}, as ${field.name} is`;
      const more = { origin: originOf(field) };
      return [finding("spelling", "decisions", words, formatValue(other), more), ...inner];
    }),
  ];
}

/**
 * Names of members that a matching part need not declare. They distinguish the cases of an object, or belong to other
 * alternatives of which one may match.
 */
function membersBeside(shape: ResolvedShape, reading: Reading): readonly string[] {
  if (shape.kind === "tagged") return [shape.discriminator];
  if (shape.kind !== "union" || !shape.exactlyOne) return [];
  return shape.alternatives.flatMap((each) => {
    const resolved = reading.resolve(each);
    return resolved.kind === "object" ? resolved.fields.flatMap((field) => wireNames(field, reading)) : [];
  });
}

/** The parts of a value and what they have to fit, where a shape is made of others; the value itself has no step. */
function shapesWithin(
  shape: ResolvedShape,
  value: unknown,
  reading: Reading,
): readonly (readonly [string | undefined, unknown, Shape])[] | undefined {
  switch (shape.kind) {
    case "nullable":
      return value === null ? [] : [[undefined, value, shape.shape]];
    case "union": {
      // Where several alternatives fit, a member of any of them is declared.
      const fitting = shape.alternatives.filter((each) => accepts(each, value, reading));
      return fitting.length === 1 ? fitting.map((each) => [undefined, value, each] as const) : [];
    }
    case "tagged": {
      const tag = memberOf(value, shape.discriminator);
      return shape.cases.filter((each) => each.tag === tag).map((each) => [undefined, value, each.shape]);
    }
    case "map":
      return isJsonObject(value)
        ? Object.entries(value).map(([name, part]: [string, unknown]) => [name, part, shape.values])
        : [];
    case "tuple":
      return Array.isArray(value)
        ? shape.items.map((item, index) => [String(index), value[index], item])
        : [];
    default:
      return undefined;
  }
}

/** Where a result is not what a case expects of it. */
export function matchFindings(pattern: unknown, result: unknown): readonly Finding[] {
  return mismatches(pattern, result).map(({ at, expected, found }) =>
    finding("value", "document", `${at} to be ${expected}`, formatValue(found)),
  );
}
