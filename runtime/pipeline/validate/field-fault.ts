/** A fault of one field of a payload. */
export interface FieldFault {
  /** JSON Pointer in canonical names. */
  readonly pointer: string;
  /** A machine word: `missing`, `null`, `unknown-field`, `two-spellings`, `digits`, or the JSON Schema keyword. */
  readonly reason: string;
}

/** A pointer to a member of what `pointer` points to (RFC 6901). */
export function memberPointer(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The names along a pointer. */
export function pointerNames(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}
