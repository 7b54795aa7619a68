/** Statements of JavaScript, in order. */
export type Statements = readonly (string | IfStatement)[];

interface IfStatement {
  readonly test: string;
  readonly body: Statements;
  readonly otherwise: Statements;
}

/** An `if`; none where it has nothing to do, and one where it would hold nothing but another. */
export function when(test: string, body: Statements, otherwise: Statements = []): Statements {
  if (body.length === 0 && otherwise.length === 0) return [];
  const [inner, ...rest] = body;
  const isOne = otherwise.length === 0 && rest.length === 0;
  if (isOne && typeof inner === "object" && inner.otherwise.length === 0)
    return [{ ...inner, test: `${test} && ${inner.test}` }];
  return [{ test, body, otherwise }];
}

/** The text, one statement a line; the formatter indents it. */
export function printStatements(statements: Statements): string {
  return statements.map(printStatement).join("\n");
}

function printStatement(statement: string | IfStatement): string {
  if (typeof statement === "string") return statement;
  const { test, body, otherwise } = statement;
  const rest = otherwise.length === 0 ? "" : ` else {\n${printStatements(otherwise)}\n}`;
  return `if (${test}) {\n${printStatements(body)}\n}${rest}`;
}
