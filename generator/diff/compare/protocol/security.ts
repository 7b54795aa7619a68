import type { MethodModel, SchemeModel, SecurityAlternativeModel } from "../../../model/index.ts";
import { locate } from "../locate.ts";
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
    if (from === to || isSameHeader(before, now)) continue;
    const facts = { name: now.name, from, to };
    const isUsed = [old, recent].every(({ methods }) => methods.some((method) => uses(method, now)));
    const changed = isUsed ? "scheme-changed" : "scheme-changed-unused";
    report(takesAllOf(before, now) ? "scheme-loosened" : changed, {
      path: schemePath(now),
      facts,
      old: before.span,
      new: now.span,
    });
  }
}

function uses({ security }: MethodModel, { name }: SchemeModel): boolean {
  return security.some((alternative) => alternative.some(({ scheme }) => scheme === name));
}

/** Whether nothing but the case of the header's name differs, which means nothing (RFC 9110, section 5.1). */
function isSameHeader(old: SchemeModel, recent: SchemeModel): boolean {
  const [before, now] = [old, recent].map((scheme) => {
    const header = scheme.options["header"];
    const name = typeof header === "string" ? header.toLowerCase() : header;
    return schemeText({ ...scheme, options: { ...scheme.options, header: name } });
  });
  return before === now;
}

/** Whether every credential that the former scheme took is taken by the present one. */
function takesAllOf(old: SchemeModel, recent: SchemeModel): boolean {
  const names = Object.keys({ ...old.options, ...recent.options });
  return (
    old.kind === recent.kind &&
    names.every((name) => {
      const [before, now] = [old.options[name], recent.options[name]];
      return JSON.stringify(before) === JSON.stringify(now) || loosens(old.kind, name, before, now);
    })
  );
}

function has(list: unknown, items: unknown): boolean {
  const all = [list].flat();
  return [items].flat().every((item) => all.includes(item));
}

function loosens(kind: string, option: string, old: unknown, recent: unknown): boolean {
  switch (`${kind} ${option}`) {
    case "jwt issuer":
    case "jwt audience":
      return recent === undefined || (old !== undefined && has(recent, old));
    case "jwt algorithms":
    case "message-signature algorithms":
      return has(recent, old);
    case "jwt claims":
    case "message-signature covers":
      return has(old ?? [], recent ?? []);
    case "jwt window":
    case "jwt leeway":
    case "hmac window":
    case "message-signature window":
      return typeof old === "number" && typeof recent === "number" && recent > old;
    case "bearer format":
      return true; // It tells people what a token looks like.
    default:
      return false;
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
