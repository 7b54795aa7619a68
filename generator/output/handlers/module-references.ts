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
  /** Whether it is written where it is used, behind its module: `handlers.GetAccountHandler`. */
  readonly isMember?: true;
}

/** The relative modules of a file: its imports, exports from elsewhere, `import("./a.ts")` as a call and as a type. */
export function moduleReferences(file: ts.SourceFile): readonly ModuleReference[] {
  const found: ModuleReference[] = [];
  const members = membersOfNamespaces(file);
  const add = (specifier: ts.Node | undefined, names: readonly ReferredName[] = []): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const { text } = specifier;
    if (!/^\.\.?(?:\/|$)/.test(text)) return;
    const { start, end } = rangeOf(specifier);
    found.push({ specifier: { start: start + 1, end: end - 1, text }, names });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importedNames(node, members));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, passedOnNames(node));
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, qualifierNames(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function importedNames(
  { importClause }: ts.ImportDeclaration,
  members: ReadonlyMap<string, readonly ts.Identifier[]>,
): readonly ReferredName[] {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return [];
  if (ts.isNamespaceImport(bindings)) return (members.get(bindings.name.text) ?? []).map(memberName);
  return bindings.elements.flatMap((each) => referredName(each, false));
}

/** The members read from each name, as a type or a value. */
function membersOfNamespaces(file: ts.SourceFile): ReadonlyMap<string, readonly ts.Identifier[]> {
  const members = new Map<string, ts.Identifier[]>();
  const add = (namespace: ts.Node, name: ts.Node): void => {
    if (ts.isIdentifier(namespace) && ts.isIdentifier(name))
      members.set(namespace.text, [...(members.get(namespace.text) ?? []), name]);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isQualifiedName(node)) add(node.left, node.right);
    if (ts.isPropertyAccessExpression(node)) add(node.expression, node.name);
    ts.forEachChild(node, visit);
  };
  if (file.text.includes("* as ")) visit(file);
  return members;
}

function qualifierNames({ qualifier }: ts.ImportTypeNode): readonly ReferredName[] {
  let first = qualifier;
  while (first !== undefined && ts.isQualifiedName(first)) first = first.left;
  return first === undefined ? [] : [memberName(first)];
}

function memberName(name: ts.Identifier): ReferredName {
  const imported = { ...rangeOf(name), text: name.text };
  return { imported, local: name.text, isAlias: true, isExport: false, isMember: true };
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
