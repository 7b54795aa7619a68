import { ts } from "ts-morph";

/** A range of a text, in UTF-16 offsets; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where the generator's own words and the author's body stand in a handler file. */
export interface LocatedHandler {
  /** The JSDoc directly above the handler. */
  readonly doc?: TextRange;
  /** Where the handler's statement begins: a new doc comment goes here. */
  readonly statement: number;
  /** The handler's name in its declaration. */
  readonly name: TextRange;
  /** The handler's type, wherever it is written outside the body. */
  readonly typeNames: readonly TextRange[];
  /** Relative module specifiers outside the body, without their quotes. */
  readonly specifiers: readonly (TextRange & { readonly text: string })[];
  /** The author's own: the function, or whatever else is assigned. */
  readonly body: TextRange;
  /** Every name that occurs outside the body. */
  readonly names: ReadonlySet<string>;
}

/** Why a handler was not found: the text is no TypeScript, or declares no such export. */
export type NotLocated = "unparsable" | "absent";

/**
 * Finds the exported handler of a file. The text must not begin with a byte order mark.
 */
export function locateHandler(
  text: string,
  exportName: string,
  typeName: string,
): LocatedHandler | NotLocated {
  const { diagnostics } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  if ((diagnostics ?? []).length > 0) return "unparsable";
  const file = ts.createSourceFile("handler.ts", text, ts.ScriptTarget.ESNext, true);
  const found = exportedHandler(file, exportName);
  if (found === undefined) return "absent";
  const { statement, name, body } = found;
  const bodyRange = rangeOf(body);
  const outside = identifiersOutside(file, bodyRange);
  const doc = docAbove(text, statement);
  return {
    ...(doc === undefined ? {} : { doc }),
    statement: statement.getStart(),
    name: rangeOf(name),
    typeNames: outside.filter(({ text: word }) => word === typeName).map(rangeOf),
    specifiers: relativeSpecifiers(file),
    body: bodyRange,
    names: new Set(outside.map(({ text: word }) => word)),
  };
}

interface Found {
  readonly statement: ts.Statement;
  readonly name: ts.Identifier;
  readonly body: ts.Node;
}

function exportedHandler(file: ts.SourceFile, exportName: string): Found | undefined {
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement)) {
      const { name, body } = statement;
      if (name?.text === exportName && body !== undefined && isExported(statement))
        return { statement, name, body };
    }
    if (!ts.isVariableStatement(statement) || !isExported(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && name.text === exportName && initializer !== undefined)
        return { statement, name, body: initializer };
    }
  }
  return undefined;
}

function isExported(statement: ts.FunctionDeclaration | ts.VariableStatement): boolean {
  return (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** The last comment before the statement, when it is a doc comment with nothing but one line break after it. */
function docAbove(text: string, statement: ts.Statement): TextRange | undefined {
  const last = ts.getLeadingCommentRanges(text, statement.pos)?.at(-1);
  if (last === undefined || !text.startsWith("/**", last.pos)) return undefined;
  const between = text.slice(last.end, statement.getStart());
  return /^\r?\n?$/.test(between) ? { start: last.pos, end: last.end } : undefined;
}

function identifiersOutside(file: ts.SourceFile, body: TextRange): readonly ts.Identifier[] {
  const identifiers: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (node.getStart() >= body.start && node.end <= body.end) return;
    if (ts.isIdentifier(node)) identifiers.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return identifiers;
}

function relativeSpecifiers(file: ts.SourceFile): readonly (TextRange & { readonly text: string })[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier;
    if (specifier === undefined || !ts.isStringLiteral(specifier) || !/^\.\.?\//.test(specifier.text))
      return [];
    return [{ start: specifier.getStart() + 1, end: specifier.end - 1, text: specifier.text }];
  });
}

function rangeOf(node: ts.Node): TextRange {
  return { start: node.getStart(), end: node.end };
}
