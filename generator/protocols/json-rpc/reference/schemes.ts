import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";
import type { MethodModel, SchemeModel, ServiceModel } from "../../../model/service-model.ts";
import type { PageContext } from "../../../targets/reference/page-context.ts";

/** The authentication schemes of a standard interface: how each is sent, what the spec says of it, who asks for it. */
export function schemesView({ model, remarks }: PageContext) {
  return model.schemes.map((scheme) => ({
    ...remarks(scheme),
    name: scheme.name,
    kind: scheme.kind,
    headers: headersOf(scheme),
    how: schemeKindOf(scheme.kind)?.page.how?.(scheme.options),
    options: Object.entries(scheme.options)
      .filter(([name]) => name !== "header")
      .map(([name, value]) => ({ name, value: optionText(value) })),
    askedForBy: askedForBy(scheme, model),
  }));
}

/** The schemes that a method requires: `user` (tasks:write); or `machine` with `signed`. */
export function securityText({ security }: MethodModel): string {
  if (security.length === 0) return "None: everyone may call it.";
  const alternatives = security.map((alternative) =>
    alternative.length === 0
      ? "none"
      : alternative
          .map(({ scheme, scopes }) => (scopes.length === 0 ? scheme : `${scheme} (${scopes.join(", ")})`))
          .join(" with "),
  );
  return `${alternatives.join(", or ")}.`;
}

/** Whether a caller without credentials may call it. */
export function isOpen({ security }: MethodModel): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

/** The lines that the first alternative of a method's schemes asks for. */
export function headersFor({ security }: MethodModel, { schemes }: ServiceModel): readonly string[] {
  const names = (security[0] ?? []).map(({ scheme }) => scheme);
  return schemes.filter(({ name }) => names.includes(name)).flatMap(headersOf);
}

function askedForBy({ name }: SchemeModel, { methods }: ServiceModel): string {
  const { length } = methods.filter(({ security }) =>
    security.some((each) => each.some(({ scheme }) => scheme === name)),
  );
  return length === 1 ? "1 operation" : `${length} operations`;
}

/** The lines that a request has. */
function headersOf({ kind, options }: SchemeModel): readonly string[] {
  return schemeKindOf(kind)?.page.lines(options) ?? [];
}

function optionText(value: unknown): string {
  return Array.isArray(value)
    ? value.map(optionText).join(", ")
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}
