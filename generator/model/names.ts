import { reservedFiles, reservedTypes, reservedValues } from "./reserved-names.ts";
import { camelCase, kebabCase, pascalCase } from "./case-conversion.ts";

/** The identifiers that emitters use for one item: legal in TypeScript, unique among items of its kind. */
export interface Names {
  /** PascalCase, for types: `GetAccount`. */
  readonly type: string;
  /** camelCase, for values and functions: `getAccount`. */
  readonly value: string;
  /** kebab-case, for files and folders: `get-account`. Unique ignoring case; at most 64 characters. */
  readonly file: string;
}

/** The kind of a name; it is appended where the plain name is reserved. */
export type NameKind = "Method" | "Type" | "Service" | "Event" | "Error" | "Form";

/**
 * The names of one item. They depend on its own name and on reserved words alone, so that nothing else in the spec changes
 * them; `avoided` are reserved words of the interface. Two items that come to one name are a mistake (`code-name-taken`).
 */
export function namesOf(
  kind: NameKind,
  name: string,
  { codeName, avoided = none }: { readonly codeName?: string | undefined; readonly avoided?: Avoided } = {},
): Names {
  const said = codeName ?? name;
  const isKept = codeName !== undefined || (kind === "Type" && isPascalCase(said));
  const type = isKept ? said : pascalCase(said);
  const value = camelCase(said);
  const file = kebabCase(said);
  return {
    type: isReservedType(type) || avoided.types.has(type) ? `${type}${kind}` : type,
    value: reservedValues.has(value) || avoided.values.has(value) ? `${value}${kind}` : value,
    file: reservedFiles.has(file) ? withTail(file, kind.toLowerCase()) : file,
  };
}

/** Words that generated code needs for the interface as a whole. */
export interface Avoided {
  readonly types: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

const none: Avoided = { types: new Set(), values: new Set() };

/** A type's own spelling is kept where it is an identifier with a capital: `DOB`, `DDAAccount`. */
function isPascalCase(name: string): boolean {
  return /^\p{Lu}[\p{L}\p{N}]{0,63}$/u.test(name) && name.length <= 64 && name.normalize("NFC") === name;
}

function isReservedType(name: string): boolean {
  return reservedValues.has(name) || reservedTypes.has(name);
}

function withTail(file: string, tail: string): string {
  return `${file.slice(0, 63 - tail.length)}-${tail}`;
}
