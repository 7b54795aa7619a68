/**
 * A file as its author sees it: what they wrote, to the byte, and between it the few words that are the generator's.
 * Written text is found again by a pattern that allows only those words to differ; it knows nothing of the generator.
 */
export type Part =
  | string
  /** The doc comment above the handler, as long as it is the generator's. */
  | { readonly doc: string }
  /** The handler's name in its declaration. */
  | { readonly name: string }
  /** The name of a generated type, or of a handler, where it is imported. */
  | { readonly imported: string }
  /** The same where it is used outside of the body. */
  | { readonly used: string }
  /** The relative module of an import outside of the body. */
  | { readonly module: string }
  /** Where the generator may add an export under another name. */
  | { readonly exportPlace: true };

export function textOf(parts: readonly Part[]): string {
  return parts.map(partText).join("");
}

/** Matches every text that is this one but for the generator's words; groups named `doc` hold doc comments. */
export function patternOf(parts: readonly Part[]): RegExp {
  return new RegExp(`^${parts.map(partPattern).join("")}$`, "u");
}

function partText(part: Part): string {
  if (typeof part === "string") return part;
  if ("exportPlace" in part) return "";
  return Object.values(part).join("");
}

const identifier = "[\\p{ID_Continue}$]+";

function partPattern(part: Part): string {
  if (typeof part === "string") return RegExp.escape(part);
  if ("doc" in part) return String.raw`(?<doc>(?:/\*\*(?:(?!\*/)[^])*\*/(?:\r?\n)?)?)`;
  if ("name" in part || "used" in part) return identifier;
  if ("imported" in part) return `${identifier}(?: as ${identifier})?`;
  if ("module" in part) return String.raw`\.\.?/[^"'\n]*`;
  return `(?:\\r?\\nexport \\{ ${identifier} as ${identifier} \\};)*`;
}

/**
 * Takes a handler file apart that is written the plain way: imports in braces from relative modules, one handler
 * `export const name: Type<Contexts> = …`.
 */
export function partsOfPlain(text: string, ownDocs: ReadonlySet<string>): readonly Part[] {
  const handler = /^(?:(\/\*\*(?:(?!\*\/)[^])*\*\/\n))?export const (\w+): (\w+)(<\s*Contexts\s*> =)/m.exec(
    text,
  );
  if (handler === null) return partsOfImports(text);
  const [whole, doc = "", name = "", type = "", contexts = ""] = handler;
  const before = partsOfImports(text.slice(0, handler.index));
  const isOwn = ownDocs.has(doc.trimEnd());
  const after = text.slice(handler.index + whole.length);
  return [
    ...before,
    ...(isOwn ? [{ doc }] : [doc]),
    "export const ",
    { name },
    ": ",
    { used: type },
    contexts,
    after.trimEnd(),
    { exportPlace: true },
    after.slice(after.trimEnd().length),
  ];
}

function partsOfImports(text: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const found of text.matchAll(/(import (?:type )?\{)([^}]*)(\} from ")(\.[^"]*)"/g)) {
    const [whole, opening = "", names = "", middle = "", module = ""] = found;
    parts.push(text.slice(at, found.index), opening);
    for (const [, gap = "", word = ""] of names.matchAll(/(\W*)(\w+|$)/g))
      parts.push(gap, ...(word === "" || word === "type" ? [word] : [{ imported: word }]));
    parts.push(middle, { module }, '"');
    at = found.index + whole.length;
  }
  return [...parts, text.slice(at)];
}
