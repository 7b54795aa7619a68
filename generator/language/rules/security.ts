import { closest } from "../../../conformance/base/closest.ts";
import type { MethodSpec, SchemeSpec, SecurityAlternativeSpec, SecuritySpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import { isOwnKind } from "../../../conformance/suite/json-rpc.ts";
import type { Span } from "../source/index.ts";
import { valueOf, type Node } from "../syntax/index.ts";
import { schemeKindOf, schemeKinds, type SchemeKind } from "../../../conformance/request/schemes/index.ts";

/** Each has a case of its own in the suite, which names the others. */
const askedMax = 200;

/** Requires that security names schemes that exist, and scopes where a scheme has them, for each method. */
export function checkSecurity(context: RuleContext): void {
  const { spec, own } = context;
  const schemes = new Map(own.schemes.map((scheme) => [scheme.name.value, scheme]));
  for (const security of [own.security, ...spec.methods.map((method) => method.security)]) {
    const alternatives = security?.alternatives ?? [];
    const asked = alternatives.flatMap((each) =>
      each.schemes.flatMap(({ scheme, scopes }) => [scheme, ...scopes]),
    );
    const beyond = asked[askedMax];
    if (beyond !== undefined) context.report("security-too-large", beyond.span, { most: askedMax });
    for (const alternative of alternatives) checkAlternative(alternative, schemes, context);
  }
  if (own.schemes.length === 0 || own.security !== undefined) return;
  for (const method of spec.methods.filter((candidate) => candidate.security === undefined)) {
    const [scheme = ""] = schemes.keys();
    context.report("method-security-missing", method.span, { method: method.name.value, scheme });
  }
}

/** A scheme that nothing asks for would still need a verifier. */
export function checkSchemeUse({ spec, own, report }: RuleContext): void {
  const used = new Set(
    [...securityOf(spec.methods, own.security)].flatMap(({ alternatives }) =>
      alternatives.flatMap(({ schemes }) => schemes.map(({ scheme }) => scheme.value)),
    ),
  );
  for (const { name } of own.schemes) {
    if (!used.has(name.value)) report("scheme-unused", name.span, { scheme: name.value });
  }
}

function* securityOf(
  methods: readonly MethodSpec[],
  shared: SecuritySpec | undefined,
): Iterable<SecuritySpec> {
  if (shared !== undefined) yield shared;
  for (const { security } of methods) if (security !== undefined) yield security;
}

function checkAlternative(
  { schemes: asked }: SecurityAlternativeSpec,
  schemes: ReadonlyMap<string, SchemeSpec>,
  { report }: RuleContext,
): void {
  const byHeader = new Map<string, string>();
  for (const { scheme, scopes } of asked) {
    const { value: name, span } = scheme;
    const declared = schemes.get(name);
    if (declared === undefined) {
      const known = [...schemes.keys()];
      report("unknown-scheme", span, { name, known, suggestion: closest(name, known) });
      continue;
    }
    if (declared.kind === undefined) continue;
    const kind = declared.kind.value;
    const [scope] = scopes;
    if (scope !== undefined && schemeKindOf(kind)?.hasScopes === false) {
      report("scopes-without-meaning", scope.span, { scheme: name, kind });
    }
    const header = schemeKindOf(kind)?.header({ header: headerOf(declared) });
    const other = header === undefined ? undefined : byHeader.get(header);
    if (header !== undefined && other !== undefined) {
      report("security-same-header", span, { first: other, second: name, header });
    } else if (header !== undefined) byHeader.set(header, name);
  }
}

function headerOf({ options }: SchemeSpec): string | undefined {
  const value = options.find(({ name }) => name.value === "header")?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

/** Authentication schemes: each of a kind that is known, with the options of that kind and no secret. */
export function checkSchemes({ own, report }: RuleContext): void {
  for (const scheme of own.schemes) {
    checkSecrets(scheme, report);
    if (scheme.kind === undefined) continue;
    const kind = schemeKindOf(scheme.kind.value);
    if (kind === undefined) reportKind(scheme.kind.value, scheme.kind.span, report);
    else if (!isOwnKind({ kind: scheme.kind.value })) checkOptions(scheme, scheme.kind.value, kind, report);
  }
}

type Report = RuleContext["report"];

function reportKind(kind: string, span: Span, report: Report): void {
  const known = Object.keys(schemeKinds);
  report("scheme-kind-unknown", span, { kind, known, suggestion: closest(kind, known) });
}

function checkOptions({ name, options }: SchemeSpec, kind: string, rules: SchemeKind, report: Report): void {
  const takes = [...rules.required, ...rules.optional];
  const given = new Set(options.map((option) => option.name.value));
  for (const option of options) {
    if (takes.includes(option.name.value) || isSecretName(option.name.value)) continue;
    const others = takes.filter((other) => !given.has(other));
    const suggestion = closest(option.name.value, others);
    if (suggestion !== undefined) given.add(suggestion);
    report("scheme-option-unknown", option.name.span, { option: option.name.value, kind, takes, suggestion });
  }
  for (const option of rules.required.filter((required) => !given.has(required))) {
    report("scheme-option-missing", name.span, { scheme: name.value, option, kind });
  }
  const valueAt = (option: string) => options.find((candidate) => candidate.name.value === option)?.value;
  if (rules.algorithms !== undefined) checkAlgorithms(valueAt("algorithms"), kind, rules.algorithms, report);
  if (rules.covers !== undefined) checkCovered(valueAt("covers"), kind, rules.covers, report);
}

/** One group alone: a public key, which everyone has, must never be taken for a shared secret (RFC 8725, section 3.1). */
function checkAlgorithms(
  node: Node | undefined,
  kind: string,
  groups: readonly (readonly string[])[],
  report: Report,
): void {
  if (node?.kind !== "list") return;
  const known = groups.flat();
  const names = textsOf(node);
  if (node.items.length === 0) report("scheme-algorithms", node.span, { problem: "empty", kind, known });
  for (const { value, span } of names.filter((name) => !known.includes(name.value))) {
    report("scheme-algorithms", span, { problem: "unknown", name: value, kind, known });
  }
  const used = groups.filter((group) => names.some(({ value }) => group.includes(value)));
  if (used.length > 1) report("scheme-algorithms", node.span, { problem: "mixed", kind, known });
}

function checkCovered(
  node: Node | undefined,
  kind: string,
  { known, required }: NonNullable<SchemeKind["covers"]>,
  report: Report,
): void {
  if (node?.kind !== "list") return;
  const names = textsOf(node);
  for (const { value, span } of names.filter((name) => !known.includes(name.value))) {
    report("scheme-covers", span, { unknown: value, missing: [], kind, known });
  }
  const missing = required.filter((name) => !names.some(({ value }) => value === name));
  if (missing.length > 0) report("scheme-covers", node.span, { missing, kind, known });
}

function textsOf(node: Node): readonly { readonly value: string; readonly span: Span }[] {
  if (node.kind !== "list") return [];
  return node.items.flatMap((item) =>
    item.kind === "scalar" && typeof item.value === "string" ? { value: item.value, span: item.span } : [],
  );
}

/** Refuses secrets, which a published spec would give away, and addresses, which differ by where the service runs. */
function checkSecrets({ options }: SchemeSpec, report: Report): void {
  for (const { name, value } of options) {
    if (isSecretName(name.value) || holdsKey(value)) {
      report("scheme-secret", name.span, { option: name.value });
    }
  }
}

const secretNames = /secret|passw|passphrase|private|credential|token|jwk|pem|apikey|keys?$|ur[il]$/i;

function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

function holdsKey(node: Node): boolean {
  const written = JSON.stringify(valueOf(node));
  return written.includes("-----BEGIN ") || /"(?:kty|d|k)":/.test(written);
}
