import type { MethodModel, SchemeModel, SecurityAlternativeModel } from "../../../model/index.ts";
import { locate } from "../../model/locate.ts";
import type { Comparison } from "../comparison.ts";
import { compareDocumented } from "../documented.ts";
import { pairUp } from "../pair-up.ts";
import { code } from "../phrases.ts";

/** Authentication schemes that come, go and change. */
export function compareSchemes(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.schemes, recent.schemes, { nameOf: ({ name }) => name });
  for (const scheme of removed) {
    const facts = { name: scheme.name, from: schemeText(scheme) };
    report("scheme-removed", { path: schemePath(scheme), facts, old: scheme.span, near: recent.span });
  }
  for (const scheme of added) {
    const facts = { name: scheme.name, to: schemeText(scheme) };
    report("scheme-added", { path: schemePath(scheme), facts, new: scheme.span });
  }
  for (const { old: before, new: now } of pairs) {
    compareDocumented(comparison, schemePath(now), code(now.name), before, now);
    const [from, to] = [schemeText(before), schemeText(now)];
    if (from === to) continue;
    const facts = { name: now.name, from, to };
    report("scheme-changed", { path: schemePath(now), facts, old: before.span, new: now.span });
  }
}

/** Compares the credentials of a method: whether all former callers are still let in, and others too. */
export function compareSecurity({ report }: Comparison, old: MethodModel, recent: MethodModel): void {
  const [before, now] = [alternativesOf(old), alternativesOf(recent)];
  const tell = (
    rule: "security-tightened" | "security-loosened" | "security-exchanged" | "security-restated",
    from: readonly SecurityAlternativeModel[],
    to: readonly SecurityAlternativeModel[],
  ) =>
    report(rule, {
      path: recent.name,
      facts: { name: recent.name, from: alternativesText(from), to: alternativesText(to) },
      old: locate(old.span, "security"),
      new: locate(recent.span, "security"),
      reaches: [recent.name],
    });
  const refused = before.filter((had) => !now.some((asked) => satisfies(had, asked)));
  const letIn = now.filter((has) => !before.some((asked) => satisfies(has, asked)));
  const isSame =
    JSON.stringify(before) === JSON.stringify(now) && old.security.length === recent.security.length;
  if (refused.length > 0 && letIn.length > 0) tell("security-exchanged", refused, letIn);
  else if (refused.length > 0) tell("security-tightened", refused, now);
  else if (letIn.length > 0) tell("security-loosened", before, letIn);
  else if (!isSame) tell("security-restated", before, now);
}

/** An open method asks for nothing, as an empty alternative does. */
function alternativesOf({ security }: MethodModel): readonly SecurityAlternativeModel[] {
  if (security.length === 0) return [[]];
  return security.map((alternative) =>
    alternative.map(({ scheme, scopes }) => ({ scheme, scopes: scopes.toSorted() })),
  );
}

/** Whether a call that fulfils one alternative fulfils the other too. */
function satisfies(has: SecurityAlternativeModel, asked: SecurityAlternativeModel): boolean {
  return asked.every(({ scheme, scopes }) => {
    const own = has.find((part) => part.scheme === scheme);
    return own !== undefined && scopes.every((scope) => own.scopes.includes(scope));
  });
}

function alternativesText(alternatives: readonly SecurityAlternativeModel[]): string {
  return alternatives.map(alternativeText).join(", or ");
}

function alternativeText(alternative: SecurityAlternativeModel): string {
  if (alternative.length === 0) return "no authentication";
  return alternative
    .map(({ scheme, scopes }) =>
      scopes.length === 0 ? code(scheme) : `${code(scheme)} (${scopes.join(", ")})`,
    )
    .join(" with ");
}

function schemeText({ kind, options }: SchemeModel): string {
  const written = Object.entries(options).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [code(kind), ...written].join(", ");
}

function schemePath({ name }: SchemeModel): string {
  return `interface/schemes/${name}`;
}
