import { ts } from "ts-morph";
import { isExported } from "./exported-names.ts";
import { rangeOf, writtenNames } from "./parse-module.ts";
import { isWithin, type TextRange } from "./text-range.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** Where the generator's own words and the author's body stand in a handler file. */
export interface LocatedHandler {
  /** The JSDoc directly above the handler. */
  readonly doc?: TextRange;
  /** Where the handler's statement begins: a new doc comment goes here. Absent where it is declared elsewhere. */
  readonly statement?: number;
  readonly exported: HandlerExport;
  /** The author's own: the function, or whatever else is assigned. Absent where it is declared elsewhere. */
  readonly body?: TextRange;
  /** The type between its name and its body. Absent for a function. */
  readonly annotation?: TextRange;
}

/** The export that gives the handler its imported name. */
export type HandlerExport =
  | {
      readonly kind: "declaration";
      /** The handler's name where it is declared: more than once where it is overloaded. */
      readonly names: readonly TextRange[];
      /** Where its last declaration ends. */
      readonly end: number;
      /** Whether the file speaks of it elsewhere too, by this name. */
      readonly isUsed: boolean;
    }
  /** A name in the braces of an export; `isAlias` where another stands before it: `export { body as getAccount }`. */
  | { readonly kind: "clause"; readonly name: TextRange; readonly isAlias: boolean };

/** Finds the handler that a file exports under a name; undefined where it exports none. */
export function locateHandler(file: ts.SourceFile, exportName: string): LocatedHandler | undefined {
  const declared = declarationOf(file, exportName, true);
  if (declared !== undefined) {
    const { names, statements } = declared;
    const isUsed = writtenNames(file).some(
      (name) =>
        name.isReference && name.text === exportName && !names.some((own) => own.start === name.start),
    );
    const end = statements.at(-1)?.end ?? 0;
    return { ...placesOf(file, declared), exported: { kind: "declaration", names, end, isUsed } };
  }
  const clause = exportSpecifier(file, exportName);
  if (clause === undefined) return undefined;
  const { name, propertyName } = clause;
  const isHere = clause.parent.parent.moduleSpecifier === undefined;
  const local = isHere ? declarationOf(file, (propertyName ?? name).text, false) : undefined;
  return {
    ...(local === undefined ? {} : placesOf(file, local)),
    exported: { kind: "clause", name: rangeOf(name), isAlias: propertyName !== undefined },
  };
}

interface Declaration {
  readonly statements: readonly ts.Statement[];
  readonly names: readonly TextRange[];
  readonly body: ts.Node;
}

function placesOf(
  file: ts.SourceFile,
  { statements, names, body }: Declaration,
): Pick<LocatedHandler, "doc" | "statement" | "body" | "annotation"> {
  const [first] = statements;
  const [name] = names;
  if (first === undefined) return { body: rangeOf(body) };
  const doc = docAbove(file.text, first);
  const isTyped = name !== undefined && ts.isVariableStatement(first);
  return omitUndefined({
    doc,
    statement: first.getStart(),
    body: rangeOf(body),
    annotation: isTyped ? { start: name.end, end: body.getStart() } : undefined,
  });
}

function declarationOf(file: ts.SourceFile, name: string, isExport: boolean): Declaration | undefined {
  const statements = file.statements.filter((statement) => !isExport || isExported(statement));
  const functions = statements
    .filter((statement) => ts.isFunctionDeclaration(statement))
    .filter((statement) => statement.name?.text === name);
  const implementation = functions.find(({ body }) => body !== undefined);
  if (implementation?.body !== undefined) {
    const names = functions.flatMap((each) => (each.name === undefined ? [] : [rangeOf(each.name)]));
    return { statements: functions, names, body: implementation.body };
  }
  for (const statement of statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: declared, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(declared) && declared.text === name && initializer !== undefined)
        return { statements: [statement], names: [rangeOf(declared)], body: initializer };
    }
  }
  return undefined;
}

function exportSpecifier(
  file: ts.SourceFile,
  exportName: string,
):
  | (ts.ExportSpecifier & { readonly name: ts.Identifier; readonly propertyName?: ts.Identifier })
  | undefined {
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) continue;
    const { exportClause: clause } = statement;
    if (clause === undefined || !ts.isNamedExports(clause)) continue;
    for (const specifier of clause.elements)
      if (specifier.name.text === exportName && isPlain(specifier)) return specifier;
  }
  return undefined;
}

function isPlain(
  specifier: ts.ExportSpecifier,
): specifier is ts.ExportSpecifier & { readonly name: ts.Identifier; readonly propertyName?: ts.Identifier } {
  const { name, propertyName, isTypeOnly } = specifier;
  return (
    !isTypeOnly && ts.isIdentifier(name) && (propertyName === undefined || ts.isIdentifier(propertyName))
  );
}

/** The last comment before the statement, when it is a doc comment with nothing but one line break after it. */
function docAbove(text: string, statement: ts.Statement): TextRange | undefined {
  const last = ts.getLeadingCommentRanges(text, statement.pos)?.at(-1);
  if (last === undefined || !text.startsWith("/**", last.pos)) return undefined;
  const between = text.slice(last.end, statement.getStart());
  const range = { start: last.pos, end: last.end };
  return /^\r?\n?$/.test(between) && isWithin(range, { start: 0, end: text.length }) ? range : undefined;
}
