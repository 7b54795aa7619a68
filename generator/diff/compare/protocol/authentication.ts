import type {
  AuthMemberModel,
  Documented,
  HeaderModel,
  MethodModel,
  SchemeModel,
  SecurityAlternativeModel,
} from "../../../model/index.ts";
import type { SingleRuleId } from "../../rules/index.ts";
import type { Comparison, Report } from "../comparison.ts";
import { compareDefinitions, compareDocumented, differs } from "../definitions.ts";
import { nameOf, type Pair } from "../pair-up.ts";
import { algorithmsIn, code, codeList } from "../phrases.ts";

/** How callers say who they are, and the codes of what the runtime itself detects. */
export function compareAuthentication(comparison: Comparison): void {
  const { old, new: recent } = comparison;
  const own = { path: "interface/auth/scheme", name: recent.name, old, new: recent };
  differs(comparison.at(own), "auth-scheme-changed", old.authScheme, recent.authScheme, "auth", "scheme");
  compareSchemes(comparison);
  compareMembers(comparison);
  compareHeaders(comparison);
  for (const name of new Set([...Object.keys(old.faults), ...Object.keys(recent.faults)])) {
    const [from, to] = [old.faults[name], recent.faults[name]];
    const changed = to === undefined ? "fault-removed" : "fault-code-changed";
    const report = comparison.at({ ...own, path: `interface/faults/${name}`, name });
    differs(report, from === undefined ? "fault-added" : changed, from ?? "", to ?? "", "faults", name);
  }
}

/** Members of `params.api`. */
function compareMembers(comparison: Comparison): void {
  const [old, recent] = [comparison.old.auth, comparison.new.auth];
  const kind = { old, new: recent, kind: "auth-member", nameOf, path: memberPath } as const;
  for (const pair of compareDefinitions(comparison, kind)) {
    const report = compareAlgorithms(comparison, memberPath(pair.new), pair);
    differs(report, "auth-missing-code-changed", pair.old.missing, pair.new.missing, "missing");
  }
}

function compareHeaders(comparison: Comparison): void {
  const pairs = compareDefinitions(comparison, {
    old: comparison.old.authHeaders,
    new: comparison.new.authHeaders,
    kind: "auth-header",
    nameOf: ({ name }) => name.toLowerCase(),
    called: nameOf,
    path: headerPath,
  });
  for (const pair of pairs) {
    const report = compareAlgorithms(comparison, headerPath(pair.new), pair);
    differs(report, "auth-header-format-changed", code(pair.old.format), code(pair.new.format), "format");
  }
}

function memberPath({ name }: AuthMemberModel): string {
  return `interface/auth/members/${name}`;
}

function headerPath({ name }: HeaderModel): string {
  return `interface/auth/headers/${name}`;
}

function schemePath({ name }: SchemeModel): string {
  return `interface/schemes/${name}`;
}

/** Compares the text of a member or header, where its algorithm is promised. */
function compareAlgorithms<T extends Documented & { readonly name: string }>(
  comparison: Comparison,
  path: string,
  pair: Pair<T>,
): Report {
  const { old, new: recent } = pair;
  compareDocumented(comparison, path, code(recent.name), old, recent);
  const report = comparison.at({ ...pair, path, name: recent.name });
  const [before, now] = [codeList(algorithmsIn(old.doc)), codeList(algorithmsIn(recent.doc))];
  differs(report, "auth-algorithm-changed", before, now, "doc");
  return report;
}

/** Authentication schemes of a standard interface. */
function compareSchemes(comparison: Comparison): void {
  const { old, new: recent } = comparison;
  const kind = {
    old: old.schemes,
    new: recent.schemes,
    kind: "scheme",
    nameOf,
    path: schemePath,
    text: schemeText,
  } as const;
  for (const pair of compareDefinitions(comparison, kind)) {
    const [before, now] = [pair.old, pair.new];
    compareDocumented(comparison, schemePath(now), code(now.name), before, now);
    if (isSameHeader(before, now)) continue;
    const isUsed = [old, recent].every(({ methods }) => methods.some((method) => uses(method, now)));
    const changed = isUsed ? "scheme-changed" : "scheme-changed-unused";
    const report = comparison.at({ ...pair, path: schemePath(now), name: now.name });
    const rule = takesAllOf(before, now) ? "scheme-loosened" : changed;
    differs(report, rule, schemeText(before), schemeText(now));
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
export function compareSecurity(report: Report, old: MethodModel, recent: MethodModel): void {
  const [before, now] = [alternativesOf(old), alternativesOf(recent)];
  const tell = (rule: SingleRuleId, from: Alternatives, to: Alternatives) =>
    report(rule, { from: alternativesText(from), to: alternativesText(to) }, "security");
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
function alternativesOf({ security }: MethodModel): Alternatives {
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

function alternativesText(alternatives: Alternatives): string {
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

type Alternatives = readonly SecurityAlternativeModel[];
