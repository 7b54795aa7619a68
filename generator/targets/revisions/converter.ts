import type { Change } from "../../diff/index.ts";
import { claim } from "../../print/interface-names.ts";
import type { FieldModel, NumberShape, Shape } from "../../model/index.ts";

/** The name by which generated code imports the functions that people write. */
export const byHandName = "byHand";

/** The expression that a value is converted by; absent where it stays as it is. */
export type Convert = ((value: string) => string) | undefined;

/** A generated function. */
export interface ConverterFunction {
  readonly name: string;
  readonly takes: string;
  readonly gives: string;
  /** Its statements, over `value`. */
  readonly body: string;
}

/** A function that people write, and the changes that ask for it. */
export interface HandWritten {
  readonly name: string;
  readonly takes: string;
  readonly gives: string;
  readonly changes: readonly Change[];
  /** Nothing has to be written: what it would adapt is refused otherwise. */
  readonly isOptional?: true;
  /** For a method that is gone: its whole handler. */
  readonly handler?: {
    readonly method: string;
    readonly errorCodes: readonly string[];
    readonly context: string;
  };
}

/** A conversion as a function that may be handed on: a call of one argument is the function itself. */
export function functionOf(convert: NonNullable<Convert>): string {
  const text = convert("each");
  return /^([\w$.]+)\(each\)$/.exec(text)?.[1] ?? `(each) => ${text}`;
}

/** Local names for fields: a field's own name where it is free and may be one. */
export class Locals {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set(["value", byHandName]);

  of(field: string, wanted = field): string {
    const plain = /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(wanted) && !reserved.has(wanted) ? wanted : "field";
    const known = this.#names.get(field) ?? claim(plain, this.#taken);
    this.#names.set(field, known);
    return known;
  }

  has(field: string): boolean {
    return this.#names.has(field);
  }

  pattern(field: string): string {
    const local = this.of(field);
    return local === field ? local : `${JSON.stringify(field)}: ${local}`;
  }
}

const reserved: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** The body of a function whose result has these members and nothing else of `value`. */
export function objectOf(sources: readonly FieldModel[], members: readonly string[], locals: Locals): string {
  const named = sources.filter(({ name }) => locals.has(name)).map(({ name }) => locals.pattern(name));
  const reading = named.length === 0 ? "" : `const { ${named.join(", ")} } = value;\n`;
  return `${reading}return { ${members.join(", ")} };`;
}

/** The body of a function whose result has these members and all of `value` but the dropped fields. */
export function objectWithout(
  dropped: readonly FieldModel[],
  members: readonly string[],
  locals: Locals,
): string {
  const read = dropped.map(({ name }) => locals.pattern(name));
  if (read.length === 0) return `return { ...value, ${members.join(", ")} };`;
  const rest = locals.of("rest of the value", "rest");
  const reading = `const { ${read.join(", ")}, ...${rest} } = value;\n`;
  return members.length === 0
    ? `${reading}return ${rest};`
    : `${reading}return { ...${rest}, ${members.join(", ")} };`;
}

/** The values that a text may have; `any` where nothing is said. */
export type Values = "any" | readonly { readonly value: string; readonly renamedFrom?: string }[];

export function valuesOf(shape: Shape): Values | undefined {
  if (shape.kind === "enum") {
    // Interfaces that serve earlier revisions have no integers here.
    return shape.values.map((each) => ({ ...each, value: String(each.value) }));
  }
  if (shape.kind !== "string") return undefined;
  return shape.const === undefined ? "any" : [{ value: shape.const }];
}

export function isNumber(shape: Shape): shape is NumberShape {
  return shape.kind === "number" || shape.kind === "integer" || shape.kind === "money";
}

export function shapeName(shape: Shape): string {
  return shape.kind === "ref" ? shape.type : shape.kind;
}

/** A member whose value or name changes; left out where it is absent. */
export function explicitMember(
  source: FieldModel,
  target: FieldModel,
  inner: Convert,
  local: string,
): string {
  const value = inner?.(local) ?? local;
  const member = value === target.name ? value : `${JSON.stringify(target.name)}: ${value}`;
  return source.presence.kind === "required" ? member : `...(${local} === undefined ? {} : { ${member} })`;
}

export function placeFacts({ name, presence }: FieldModel) {
  return { name, optional: presence.kind !== "required" };
}
