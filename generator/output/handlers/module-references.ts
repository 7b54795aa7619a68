import { ts } from "ts-morph";
import { rangeOf } from "./parse-module.ts";
import type { TextRange } from "./text-range.ts";

/** A relative module that a file names, and what it takes from there. */
export interface ModuleReference {
  /** The specifier, without its quotes. */
  readonly specifier: TextRange & { readonly text: string };
  readonly names: readonly ReferredName[];
}

/** `Account`, or `Account as A`, in the braces of an import or of an export from elsewhere. */
export interface ReferredName {
  /** The name in the other module. */
  readonly imported: TextRange & { readonly text: string };
  /** The name here. */
  readonly local: string;
  readonly isAlias: boolean;
  /** Whether it goes out again: then it is not a name of this file. */
  readonly isExport: boolean;
}

/** The relative modules of a file: its imports, exports from elsewhere, `import("./a.ts")` as a call and as a type. */
export function moduleReferences(file: ts.SourceFile): readonly ModuleReference[] {
  const found: ModuleReference[] = [];
  const add = (specifier: ts.Node | undefined, names: readonly ReferredName[] = []): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const { text } = specifier;
    if (!/^\.\.?(?:\/|$)/.test(text)) return;
    const { start, end } = rangeOf(specifier);
    found.push({ specifier: { start: start + 1, end: end - 1, text }, names });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importedNames(node));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, passedOnNames(node));
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function importedNames({ importClause }: ts.ImportDeclaration): readonly ReferredName[] {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
  return bindings.elements.flatMap((each) => referredName(each, false));
}

function passedOnNames({ exportClause }: ts.ExportDeclaration): readonly ReferredName[] {
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.flatMap((each) => referredName(each, true));
}

function referredName(
  { name, propertyName }: ts.ImportSpecifier | ts.ExportSpecifier,
  isExport: boolean,
): readonly ReferredName[] {
  const imported = propertyName ?? name;
  if (!ts.isIdentifier(imported)) return [];
  return [
    {
      imported: { ...rangeOf(imported), text: imported.text },
      local: name.text,
      isAlias: propertyName !== undefined,
      isExport,
    },
  ];
}
