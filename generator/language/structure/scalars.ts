import type { Code, Reporter } from "../diagnostics/index.ts";
import type { Span } from "../source/index.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { matches, type Resolved, type SchemaNode } from "./schema.ts";

/** Codes of their own for what is often written wrong; other names are `name-format`. */
const formatCodes = {
  section: "section-format",
  decisionId: "decision-format",
  revision: "revision-format",
  methodName: "method-name-format",
  fieldName: "field-name-format",
} as const satisfies Readonly<Record<string, Code>>;

function isFormatted(name: string | undefined): name is keyof typeof formatCodes {
  return name !== undefined && Object.hasOwn(formatCodes, name);
}

type Reports = Pick<Reporter, "report">;

export function checkText(text: string, span: Span, { schema, name }: Resolved, reporter: Reports): void {
  const allowed = schema.enum?.map(String);
  if (allowed !== undefined && !allowed.includes(text)) {
    const suggestion = closest(text, allowed);
    reporter.report("unknown-value", span, { value: text, allowed, suggestion });
  } else if (text.trim() === "" && (schema.minLength ?? 0) > 0) {
    reporter.report("empty-text", span, {});
  } else if (schema.pattern !== undefined && !matches(schema.pattern, text)) {
    const code = isFormatted(name) ? formatCodes[name] : "name-format";
    const what = schema.title ?? "value";
    const [example] = schema.examples ?? [];
    reporter.report(code, span, { text, what, rule: schema.description, example });
  }
}

export function checkNumber(value: number, span: Span, schema: SchemaNode, reporter: Reports): void {
  const allowed = (schema.enum ?? []).map(String);
  if (allowed.length > 0 && !allowed.includes(String(value))) {
    const suggestion = closest(String(value), allowed);
    reporter.report("unknown-value", span, { value: String(value), allowed, suggestion });
  }
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (value < minimum || value > maximum) reporter.report("out-of-range", span, { value, minimum, maximum });
}
