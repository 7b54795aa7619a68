import { posix } from "node:path";
import { ts } from "ts-morph";
import type { SourceText, Span } from "../language/source/index.ts";
import type { Entry, MapNode, Node } from "../language/syntax/index.ts";

/** A call of an operation in code: `call("AccountService.GetAccount", { AccountId: "1" })`. */
export interface WrittenCall {
  readonly method: string;
  /** The payload, as far as it is written out; the rest is `unreadable`, or makes a mapping an `isOpen` one. */
  readonly payload: MapNode;
}

/**
 * Finds the calls whose first argument is one of `methods`, in quotes, and whose second is an object. Constants are
 * followed through the files given, also those that another of them exports. Nothing is run.
 */
export function writtenCalls(
  sources: readonly SourceText[],
  methods: ReadonlySet<string>,
): readonly WrittenCall[] {
  const modules = new Map(sources.map((source) => [source.path, moduleOf(source)]));
  const reader: Reader = { modules, open: new Set() };
  return [...modules.values()].flatMap((module) => {
    const calls: WrittenCall[] = [];
    const visit = (node: ts.Node): void => {
      const [name, value] = ts.isCallExpression(node) ? node.arguments : [];
      if (name && value && ts.isStringLiteralLike(name) && methods.has(name.text)) {
        const payload = valueOf(value, module, reader);
        if (payload.kind === "map") calls.push({ method: name.text, payload });
      }
      ts.forEachChild(node, visit);
    };
    visit(module.file);
    return calls;
  });
}

interface Module {
  readonly source: SourceText;
  readonly file: ts.SourceFile;
}

interface Reader {
  readonly modules: ReadonlyMap<string, Module>;
  /** Constants that are being read: one that needs itself has no value. */
  readonly open: Set<ts.Node>;
}

function moduleOf(source: SourceText): Module {
  return { source, file: ts.createSourceFile(source.path, source.text, ts.ScriptTarget.ESNext, true) };
}

function valueOf(written: ts.Expression, module: Module, reader: Reader): Node {
  const node = withoutTypes(written);
  const span = spanOf(node, module);
  if (ts.isStringLiteralLike(node)) return { kind: "scalar", span, value: node.text };
  if (ts.isObjectLiteralExpression(node)) return objectOf(node, module, reader);
  if (ts.isArrayLiteralExpression(node)) return listOf(node, module, reader);
  if (ts.isIdentifier(node)) return whereUsed(constantNamed(node, module, reader), span);
  if (ts.isPropertyAccessExpression(node)) return whereUsed(memberOf(node, module, reader), span);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { kind: "scalar", span, value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { kind: "scalar", span, value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { kind: "scalar", span, value: null };
  const number = numberOf(node);
  return number === undefined ? { kind: "unreadable", span } : { kind: "scalar", span, value: number };
}

/** A number, and an amount of money: `decimal("1.10")`. */
function numberOf(node: ts.Expression): number | undefined {
  const isAmount = ts.isCallExpression(node) && node.expression.getText() === "decimal";
  const [text] = isAmount ? node.arguments : [node];
  const isNegative = text && ts.isPrefixUnaryExpression(text) && text.operator === ts.SyntaxKind.MinusToken;
  const digits = isNegative ? text.operand : text;
  if (digits === undefined) return undefined;
  if (!ts.isNumericLiteral(digits) && !(isAmount && ts.isStringLiteralLike(digits))) return undefined;
  const value = Number(digits.text);
  return Number.isFinite(value) ? (isNegative ? -value : value) : undefined;
}

function withoutTypes(node: ts.Expression): ts.Expression {
  let at = node;
  while (
    ts.isAsExpression(at) ||
    ts.isSatisfiesExpression(at) ||
    ts.isParenthesizedExpression(at) ||
    ts.isNonNullExpression(at)
  )
    at = at.expression;
  return at;
}

/** Members in the order written; of what is spread, those that are known. */
function objectOf(node: ts.ObjectLiteralExpression, module: Module, reader: Reader): MapNode {
  const entries = new Map<string, Entry>();
  let isOpen = false;
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const spread = valueOf(property.expression, module, reader);
      if (spread.kind !== "map" || spread.isOpen === true) isOpen = true;
      if (spread.kind === "map") for (const entry of spread.entries) entries.set(entry.key, entry);
      continue;
    }
    const key = property.name === undefined ? undefined : keyText(property.name);
    if (key === undefined || property.name === undefined) {
      isOpen = true;
      continue;
    }
    const keySpan = spanOf(property.name, module);
    const value = propertyValue(property, module, reader) ?? { kind: "unreadable", span: keySpan };
    // What is undefined is not sent.
    if (ts.isPropertyAssignment(property) && property.initializer.getText() === "undefined")
      entries.delete(key);
    else entries.set(key, { key, keySpan, value });
  }
  const span = spanOf(node, module);
  const map: MapNode = { kind: "map", span, entries: [...entries.values()] };
  return isOpen ? { ...map, isOpen } : map;
}

function propertyValue(
  property: ts.ObjectLiteralElementLike,
  module: Module,
  reader: Reader,
): Node | undefined {
  if (ts.isPropertyAssignment(property)) return valueOf(property.initializer, module, reader);
  if (!ts.isShorthandPropertyAssignment(property)) return undefined;
  return whereUsed(constantNamed(property.name, module, reader), spanOf(property.name, module));
}

function keyText(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
    ? name.text
    : undefined;
}

function listOf(node: ts.ArrayLiteralExpression, module: Module, reader: Reader): Node {
  const span = spanOf(node, module);
  const items: Node[] = [];
  for (const element of node.elements) {
    const isSpread = ts.isSpreadElement(element);
    const value = valueOf(isSpread ? element.expression : element, module, reader);
    if (!isSpread) items.push(value);
    else if (value.kind === "list") items.push(...value.items);
    // Nothing is known of how many there are.
    else return { kind: "unreadable", span };
  }
  return { kind: "list", span, items };
}

/** A fault in a constant is shown where the call names it; one inside an object, where the object is written. */
function whereUsed(value: Node | undefined, span: Span): Node {
  if (value === undefined) return { kind: "unreadable", span };
  return value.kind === "scalar" || value.kind === "unreadable" ? { ...value, span } : value;
}

/** `known.accountId`: an export of a module that is imported as a whole, or a member of a constant. */
function memberOf(node: ts.PropertyAccessExpression, module: Module, reader: Reader): Node | undefined {
  const owner = withoutTypes(node.expression);
  const imported = ts.isIdentifier(owner) ? importOf(owner.text, module, reader) : undefined;
  if (imported?.name === "*") return exported(node.name.text, imported.module, reader);
  const value = valueOf(owner, module, reader);
  return value.kind === "map" ? value.entries.find(({ key }) => key === node.name.text)?.value : undefined;
}

/** The value of a `const` that the place sees; undefined for parameters, variables and what other files have. */
function constantNamed(name: ts.Identifier, module: Module, reader: Reader): Node | undefined {
  for (let at: ts.Node = name.parent; ; at = at.parent) {
    const declared = declarationIn(at, name.text);
    if (declared === "other") return undefined;
    if (declared !== undefined) return initial(declared, module, reader);
    if (ts.isSourceFile(at)) break;
  }
  const imported = importOf(name.text, module, reader);
  return imported && exported(imported.name, imported.module, reader);
}

function initial(declared: ts.VariableDeclaration, module: Module, reader: Reader): Node | undefined {
  if (declared.initializer === undefined || reader.open.has(declared)) return undefined;
  reader.open.add(declared);
  const value = valueOf(declared.initializer, module, reader);
  reader.open.delete(declared);
  return value;
}

/** `other`: the name is declared here, and is no constant that is written out. */
function declarationIn(scope: ts.Node, name: string): ts.VariableDeclaration | "other" | undefined {
  if (ts.isFunctionLike(scope))
    return scope.parameters.some((each) => namesIn(each.name).includes(name)) ? "other" : undefined;
  if ((ts.isForOfStatement(scope) || ts.isForStatement(scope)) && scope.initializer !== undefined)
    return scope.initializer.getText().includes(name) ? "other" : undefined;
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) return undefined;
  for (const statement of scope.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const declared of statement.declarationList.declarations) {
      if (!namesIn(declared.name).includes(name)) continue;
      return isConstant && ts.isIdentifier(declared.name) ? declared : "other";
    }
  }
  return undefined;
}

function namesIn(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((each) => (ts.isBindingElement(each) ? namesIn(each.name) : []));
}

/** The module among those given that a name is imported from, and its name there; `*` for the whole. */
function importOf(
  local: string,
  { file, source }: Module,
  { modules }: Reader,
): { readonly module: Module; readonly name: string } | undefined {
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined) continue;
    const specifier = ts.isNamespaceImport(bindings)
      ? bindings
      : bindings.elements.find((each) => each.name.text === local);
    if (specifier?.name.text !== local) continue;
    const path = posix.join(posix.dirname(source.path), statement.moduleSpecifier.text);
    const module = modules.get(path) ?? modules.get(path.replace(/\.js$/, ".ts"));
    if (module === undefined) return undefined;
    const name = ts.isNamespaceImport(specifier) ? "*" : (specifier.propertyName ?? specifier.name).text;
    return { module, name };
  }
  return undefined;
}

function exported(name: string, module: Module, reader: Reader): Node | undefined {
  const declared = declarationIn(module.file, name);
  return declared === undefined || declared === "other" ? undefined : initial(declared, module, reader);
}

function spanOf(node: ts.Node, { source }: Module): Span {
  return { source, start: node.getStart(), end: node.end };
}
