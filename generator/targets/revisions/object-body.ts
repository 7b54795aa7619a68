import type { FieldModel } from "../../model/index.ts";
import type { Locals } from "./locals.ts";

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
