import { ts } from "ts-morph";
import type { TextRange } from "./text-range.ts";

/** A text as a syntax tree; undefined where it is no TypeScript. The text must not begin with a byte order mark. */
export function parseModule(text: string): ts.SourceFile | undefined {
  const { diagnostics } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  if ((diagnostics ?? []).length > 0) return undefined;
  return ts.createSourceFile("handler.ts", text, ts.ScriptTarget.ESNext, true);
}

export function rangeOf(node: ts.Node): TextRange {
  return { start: node.getStart(), end: node.end };
}

/** A name that is written somewhere, and whether it stands for the thing of that name: not for a member of another. */
export interface WrittenName extends TextRange {
  readonly text: string;
  readonly isReference: boolean;
}

/** Every identifier of a file, in order. */
export function writtenNames(file: ts.SourceFile): readonly WrittenName[] {
  const names: WrittenName[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node))
      names.push({ ...rangeOf(node), text: node.text, isReference: !isMemberName(node) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isAccessor(parent)) &&
    parent.name === node
  );
}
