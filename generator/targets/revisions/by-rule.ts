import type { Change } from "../../diff/index.ts";

/** Which way a value is converted: a request up to the later revision, an answer or event down to the earlier one. */
export type Way = "up" | "down";

/** The conversion of a value that a change concerns. */
export type Conversion =
  /** Nothing has to be done, or generated code does it. */
  | "generated"
  /** Passed on as it is: the later revision refuses it, and the caller gets the error of the earlier one. */
  | "refused"
  /** Passed on as it is, though the earlier revision promised less: a longer text, a greater number. */
  | "passed"
  /** Only a person can say what it becomes. */
  | "by-hand";

interface BothWays {
  readonly up: Conversion;
  readonly down: Conversion;
}

const generated: BothWays = { up: "generated", down: "generated" };
const narrower: BothWays = { up: "refused", down: "generated" };
const looser: BothWays = { up: "generated", down: "passed" };
const changed: BothWays = { up: "refused", down: "passed" };
const missingUp: BothWays = { up: "by-hand", down: "generated" };
const missingDown: BothWays = { up: "generated", down: "by-hand" };
const other: BothWays = { up: "by-hand", down: "by-hand" };

/** Kinds of change that have a rule for each direction, by the rule's name without it. */
export const conversionsOfFamilies: Readonly<Record<string, BothWays>> = {
  "field-added-required": missingUp,
  "field-added-required-when": missingUp,
  "field-added-required-when-new": generated,
  "field-added-optional": generated,
  "field-removed-required": missingDown,
  "field-removed-optional": generated,
  "field-renamed": generated,
  "field-renamed-compatibly": generated,
  "field-name-reused": generated,
  "field-optional-to-required": missingUp,
  "field-required-to-optional": missingDown,
  "field-optional-to-required-when": missingUp,
  "field-required-when-to-optional": missingDown,
  "field-required-when-to-required": missingUp,
  "field-required-to-required-when": missingDown,
  "field-condition-widened": missingUp,
  "field-condition-widened-new": generated,
  "field-condition-narrowed": missingDown,
  "field-condition-changed": other,
  "group-added": narrower,
  "group-added-met": generated,
  "group-removed": looser,
  "group-member-added": looser,
  "group-member-removed": narrower,
  "group-member-joined": changed,
  "group-member-left": changed,
  "group-tightened": narrower,
  "group-loosened": looser,
  "type-changed": other,
  "type-widened": missingDown,
  "type-narrowed": narrower,
  "const-added": narrower,
  "const-changed": other,
  "const-removed": missingDown,
  "enum-value-added": missingDown,
  "open-enum-value-added": generated,
  "enum-opened": generated,
  "enum-closed": generated,
  "enum-value-removed": narrower,
  "enum-value-renamed": generated,
  "enum-value-reused": generated,
  "format-added": narrower,
  "format-changed": other,
  "format-removed": missingDown,
  "format-widened": missingDown,
  "format-narrowed": narrower,
  "bound-set": narrower,
  "bound-unset": looser,
  "bound-tightened": narrower,
  "bound-loosened": looser,
  "pattern-added": narrower,
  "pattern-changed": changed,
  "pattern-narrowed": narrower,
  "pattern-widened": looser,
  "pattern-restated": generated,
  "pattern-removed": looser,
  "unique-items-set": narrower,
  "unique-items-unset": looser,
};

/** Rules without a direction that ask for people: of the others generated code, or the earlier descriptor, takes care. */
const byHandOnce: ReadonlyMap<string, Way | "method"> = new Map([
  ["method-removed", "method"],
  ["form-removed", "up"],
  ["payload-to-forms", "up"],
  ["forms-to-payload", "up"],
]);

/** The conversion that a change needs, and the direction of its values; absent where it concerns none. */
export function conversionOf({
  rule,
  direction,
}: Pick<Change, "rule" | "direction">):
  | { readonly way: Way | "method"; readonly conversion: Conversion }
  | undefined {
  if (direction === undefined) {
    const way = byHandOnce.get(rule);
    return way === undefined ? undefined : { way, conversion: "by-hand" };
  }
  const way = direction === "request" ? "up" : "down";
  const family = conversionsOfFamilies[rule.slice(direction.length + 1)];
  return family === undefined ? undefined : { way, conversion: family[way] };
}
