import { supportFunctions, supportNames, type SupportName } from "./support-source.ts";

/** `support.js`: the functions that the validators and the zod schemas of an interface share. */
export function supportModule(preamble: string, needed: ReadonlySet<SupportName>): string {
  const functions = chosen(needed).map(({ doc, source }) => `/** ${doc} */\nexport ${source}`);
  return [preamble, ...functions].join("\n\n") + "\n";
}

/** `support.d.ts`. */
export function supportDeclarations(
  preamble: string,
  contract: string,
  needed: ReadonlySet<SupportName>,
): string {
  const declarations = chosen(needed).map(
    ({ doc, declaration }) => `/** ${doc} */\nexport declare ${declaration}`,
  );
  const imports = `import type { PayloadValidator, ValidationError } from ${JSON.stringify(contract)};`;
  return [`${preamble}\n${imports}`, ...declarations].join("\n\n") + "\n";
}

function chosen(needed: ReadonlySet<SupportName>) {
  return supportNames.filter((name) => needed.has(name)).map((name) => supportFunctions[name]);
}
