import { lines, type Printable } from "../../print/layout.ts";

/**
 * The functions that `schemas.ts` declares for itself where it needs them: what zod has no word for. Keyed by name,
 * in the order in which they are printed.
 */
export const ruleFunctions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    requiredWhen: `/** Properties that are required, and those of \`nonEmpty\` not empty, when a sibling has one of the values. */
function requiredWhen(
  sibling: string,
  values: readonly unknown[],
  names: readonly string[],
  nonEmpty: readonly string[] = [],
) {
  return (object: object, context: z.RefinementCtx): void => {
    const own = new Map<string, unknown>(Object.entries(object));
    if (!values.includes(own.get(sibling))) return;
    for (const name of names) {
      if (own.has(name) && !(nonEmpty.includes(name) && own.get(name) === "")) continue;
      context.addIssue({ code: "custom", path: [name], message: "is required" });
    }
  };
}`,
    atLeastOneOf: `/** At least one of the properties is present. */
function atLeastOneOf(...names: readonly string[]) {
  return (object: object, context: z.RefinementCtx): void => {
    if (names.some((name) => Object.hasOwn(object, name))) return;
    context.addIssue({ code: "custom", message: \`at least one of \${names.join(", ")} is required\` });
  };
}`,
    exactlyOneOf: `/** Exactly one of the properties is present. */
function exactlyOneOf(...names: readonly string[]) {
  return (object: object, context: z.RefinementCtx): void => {
    if (names.filter((name) => Object.hasOwn(object, name)).length === 1) return;
    context.addIssue({ code: "custom", message: \`exactly one of \${names.join(", ")} is required\` });
  };
}`,
    fitsAnyOf: `/** The object fits at least one of the forms. */
function fitsAnyOf(...forms: readonly z.ZodType[]) {
  return (object: object, context: z.RefinementCtx): void => {
    if (forms.some((form) => form.safeParse(object).success)) return;
    context.addIssue({ code: "custom", message: "fits none of the forms" });
  };
}`,
    fitsExactlyOne: `/** The object fits one of the forms, and no other. */
function fitsExactlyOne(...forms: readonly z.ZodType[]) {
  return (object: object, context: z.RefinementCtx): void => {
    if (forms.filter((form) => form.safeParse(object).success).length === 1) return;
    context.addIssue({ code: "custom", message: "fits none of the forms, or several" });
  };
}`,
    fits: `/** The object fits the form, whose issues are those of the object. */
function fits(form: z.ZodType) {
  return (object: object, context: z.RefinementCtx): void => {
    for (const { path, message } of form.safeParse(object).error?.issues ?? [])
      context.addIssue({ code: "custom", path: [...path], message });
  };
}`,
    fitsOneOf: `/** Gives a value as it is, which must not fit several of the alternatives. */
function fitsOneOf(alternatives: readonly z.ZodType[]) {
  return (value: unknown, context: z.RefinementCtx): unknown => {
    if (alternatives.filter((each) => each.safeParse(value).success).length > 1)
      context.addIssue({ code: "custom", message: "fits more than one of the alternatives" });
    return value;
  };
}`,
    byCase: `/** The case that a member names: its issues are those of the value. */
function byCase<Case extends z.ZodType>(tag: string, cases: Readonly<Record<string, Case>>) {
  return z.preprocess((value: unknown, context: z.RefinementCtx): unknown => {
    if (!isObject(value) || !Object.hasOwn(value, tag)) return value;
    const named: unknown = Reflect.get(value, tag);
    const found = typeof named === "string" && Object.hasOwn(cases, named) ? cases[named] : undefined;
    if (found === undefined) {
      const message = \`one of \${Object.keys(cases).join(", ")}\`;
      context.addIssue({ code: "custom", path: [tag], message });
    }
    for (const { path, message } of found?.safeParse(value).error?.issues ?? [])
      context.addIssue({ code: "custom", path: [...path], message });
    return value;
  }, z.union(Object.values(cases)));
}`,
    allDiffer: `/** Whether no two items are equal. */
function allDiffer(items: readonly unknown[]): boolean {
  return items.every((item, index) => !items.slice(0, index).some((other) => equal(item, other)));
}`,
    ownProperties: `/** An object without what it inherits; any other value as it is. */
function ownProperties(value: unknown): unknown {
  return isObject(value) ? Object.assign(Object.create(null), value) : value;
}`,
  }),
);

/** The functions of \`validators/support.js\` that they call. */
const supportOfRules: ReadonlyMap<string, string> = new Map([
  ["allDiffer", "equal"],
  ["byCase", "isObject"],
  ["ownProperties", "isObject"],
]);

/** The source of a function, with what it imports. */
export function ruleFunction(name: string, source: string, support: (name: string) => Printable): Printable {
  const imported = supportOfRules.get(name);
  if (imported === undefined) return lines(source.split("\n"));
  const parts = source.split(`${imported}(`);
  return parts.map((part, index) => [index === 0 ? "" : [support(imported), "("], lines(part.split("\n"))]);
}
