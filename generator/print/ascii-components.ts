import { claim } from "./interface-names.ts";

/** A document of OpenAPI or AsyncAPI: its formats allow ASCII letters, digits, `.`, `-` and `_` in names of components. */
export interface DocumentWithComponents {
  readonly components: Readonly<Record<string, object | undefined>>;
}

/** The document with components of such names alone; references follow. */
export function asciiComponents(document: DocumentWithComponents): object {
  const renamed = new Map<string, string>();
  for (const [kind, parts = {}] of Object.entries(document.components)) {
    const taken = new Set(Object.keys(parts));
    for (const name of Object.keys(parts)) {
      const ascii = asciiOf(name);
      if (ascii !== name) renamed.set(reference(kind, name), claim(ascii, taken));
    }
  }
  if (renamed.size === 0) return document;
  const components = Object.fromEntries(
    Object.entries(document.components).map(([kind, parts = {}]) => [
      kind,
      Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [renamed.get(reference(kind, name)) ?? name, part]),
      ),
    ]),
  );
  const followed = (_name: string, value: unknown): unknown => {
    const name = typeof value === "string" ? renamed.get(value) : undefined;
    return name === undefined ? value : String(value).replace(/[^/]*$/, name);
  };
  return JSON.parse(JSON.stringify({ ...document, components }, followed));
}

function reference(kind: string, name: string): string {
  return `#/components/${kind}/${name}`;
}

/** Without accents; other letters are their code points. */
function asciiOf(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .replaceAll(/[^\w.-]/gu, (letter) => `u${(letter.codePointAt(0) ?? 0).toString(16)}`);
}
