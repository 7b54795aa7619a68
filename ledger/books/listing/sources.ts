import type { AccountCondition } from "../../domain/lists.ts";

/** A question that an index answers: texts equal to a value, or starting with it. */
export interface Source {
  readonly field: "id" | "number" | "name" | "customerID" | "customerName";
  readonly op: "=" | "prefix";
  readonly value: string;
}

/** More of them than this are no better than looking at the accounts one after the other. */
const sourcesMax = 40;

/** How few accounts to expect from a source: the least first. A prefix gives more than a whole value. */
const ranks: Readonly<Record<Source["field"], number>> = {
  id: 1,
  number: 1,
  name: 2,
  customerID: 3,
  customerName: 4,
};
const prefixRank = 4;

/**
 * Sources that together give every account that fits the condition, and others; the fewest that can be expected.
 * Nothing where no index helps.
 */
export function sourcesOf(condition: AccountCondition): readonly Source[] | undefined {
  switch (condition.kind) {
    case "text":
      return textSource(condition);
    case "and": {
      const known = condition.terms.map(sourcesOf).filter((sources) => sources !== undefined);
      return known.toSorted((left, right) => rankOf(left) - rankOf(right))[0];
    }
    case "or": {
      const all: Source[] = [];
      for (const term of condition.terms) {
        const sources = sourcesOf(term);
        if (sources === undefined) return undefined;
        all.push(...sources);
      }
      return all.length <= sourcesMax ? all : undefined;
    }
    default:
      return undefined;
  }
}

function textSource({
  field,
  op,
  value,
}: Extract<AccountCondition, { readonly kind: "text" }>): readonly Source[] | undefined {
  if (op !== "=" && op !== "prefix") return undefined;
  switch (field) {
    case "id":
    case "number":
    case "name":
    case "customerID":
    case "customerName":
      return [{ field, op, value }];
    default:
      return undefined;
  }
}

function rankOf(sources: readonly Source[]): number {
  return Math.max(0, ...sources.map(({ field, op }) => ranks[field] + (op === "prefix" ? prefixRank : 0)));
}

/** Times of creation in milliseconds: from `from` on, before `until`. */
export interface CreationRange {
  readonly from: number;
  readonly until: number;
}

export const anyTime: CreationRange = { from: Number.MIN_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER };

/** The times outside of which no account fits the condition. */
export function creationRangeOf(condition: AccountCondition): CreationRange {
  if (condition.kind === "and") {
    return condition.terms.map(creationRangeOf).reduce(
      (left, right) => ({
        from: Math.max(left.from, right.from),
        until: Math.min(left.until, right.until),
      }),
      anyTime,
    );
  }
  if (condition.kind !== "time" || condition.field !== "createdDate") return anyTime;
  const { op, value } = condition;
  const from = op === ">" ? value + 1 : op === ">=" || op === "=" ? value : anyTime.from;
  const until = op === "<" ? value : op === "<=" || op === "=" ? value + 1 : anyTime.until;
  return { from, until };
}
