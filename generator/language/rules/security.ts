import { closest } from "../../../conformance/base/closest.ts";
import { schemeKindOf } from "../../../conformance/request/schemes/index.ts";
import type { MethodSpec, SchemeSpec, SecurityAlternativeSpec, SecuritySpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

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
