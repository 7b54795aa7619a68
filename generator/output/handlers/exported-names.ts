import { ts } from "ts-morph";

/** The names of values that a file exports, but for those of an `export *` from elsewhere. */
export function exportedNames(file: ts.SourceFile): readonly string[] {
  return file.statements.flatMap((statement): readonly string[] => {
    if (ts.isExportDeclaration(statement)) return clauseNames(statement);
    if (!isExported(statement)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isModuleDeclaration(statement) ||
      ts.isEnumDeclaration(statement);
    return isNamed && statement.name !== undefined ? [statement.name.text] : [];
  });
}

function clauseNames({ exportClause: clause, isTypeOnly }: ts.ExportDeclaration): readonly string[] {
  if (clause === undefined || isTypeOnly) return [];
  if (!ts.isNamedExports(clause)) return [clause.name.text];
  return clause.elements.filter((each) => !each.isTypeOnly).map(({ name }) => name.text);
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

/** Whether other files can import it by a name. */
export function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (statement.modifiers ?? []) : [];
  const has = (wanted: ts.SyntaxKind): boolean => modifiers.some(({ kind }) => kind === wanted);
  return has(ts.SyntaxKind.ExportKeyword) && !has(ts.SyntaxKind.DefaultKeyword);
}
