import { join } from "node:path";
import { format } from "prettier";
import { Node, Project, type ExportedDeclarations } from "ts-morph";

/** Everything that the entries of a package export, as one text: what changes in it, users of the package see. */
export async function apiReport(folder: string, entries: readonly string[]): Promise<string> {
  const project = new Project({ skipAddingFilesFromTsConfig: true, compilerOptions: { types: [] } });
  project.addSourceFilesAtPaths(join(folder, "*.d.ts"));
  const sections = entries.map((entry) => {
    const file = project.getSourceFileOrThrow(join(folder, `${entry}.d.ts`));
    const exported = [...file.getExportedDeclarations()].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const texts = exported.map(([name, declarations]) => {
      if (entry === "schemas") return `export const ${name}: ZodType;`;
      return declarations.map((declaration) => textOf(name, declaration)).join("\n");
    });
    return [`## ${entry === "index" ? "." : `./${entry}`}`, "", "```ts", texts.join("\n"), "```"].join("\n");
  });
  const text = `# What the ledger client offers\n\n${sections.join("\n\n")}\n`;
  return await format(text, { parser: "markdown", printWidth: 110 });
}

function textOf(name: string, declaration: ExportedDeclarations): string {
  if (Node.isSourceFile(declaration)) {
    const members = [...declaration.getExportedDeclarations()].flatMap(([member, inner]) =>
      inner.map((one) => textOf(member, one).replaceAll(/^/gm, "  ")),
    );
    return `export namespace ${name} {\n${members.join("\n")}\n}`;
  }
  const statement = Node.isVariableDeclaration(declaration)
    ? declaration.getVariableStatementOrThrow()
    : declaration;
  // An export may have another name than its declaration.
  const own = Node.isFunctionDeclaration(declaration) ? declaration.getName() : undefined;
  return statement
    .getText()
    .replace(`function ${own}`, `function ${name}`)
    .replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n?/gm, "")
    .replaceAll(/^\s*(?:readonly )?#\w+.*;\n/gm, "")
    .replaceAll(/\bdeclare /g, "");
}
