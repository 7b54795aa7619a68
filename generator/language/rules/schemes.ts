import { isOwnKind } from "../../../conformance/suite/json-rpc.ts";
import type { Span } from "../source/index.ts";
import { valueOf, type Node } from "../syntax/index.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { schemeKindOf, schemeKinds, type SchemeKind } from "../../../conformance/request/schemes/index.ts";
import type { SchemeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

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
