import { diagnosticOf, type Diagnostic } from "../diagnostics/index.ts";
import { listed } from "../diagnostics/entry.ts";
import type { ServiceModel } from "../model/service-model.ts";

/** The members of `params.api` that the scheme reads, and those by which every call is signed. */
const known: readonly string[] = ["credential", "keyId", "signature", "apiKey"];
const always: readonly string[] = known.slice(0, 3);

/**
 * Members of `params.api` that the scheme `signedEnvelope` does not read, and methods that lack one that it reads. What
 * another scheme reads is its own business.
 */
export function unserved({ authScheme, auth, methods }: ServiceModel): readonly Diagnostic[] {
  if (authScheme !== "signedEnvelope") return [];
  const strangers = auth.flatMap(({ name, span }) =>
    known.includes(name)
      ? []
      : { ...diagnosticOf("auth-member-unsupported", { name }, { path: span.source.path }), span },
  );
  const unsigned = methods.flatMap(({ name, transport, span }) => {
    const missing =
      transport.kind === "enveloped" ? always.filter((member) => !transport.auth.includes(member)) : [];
    if (missing.length === 0) return [];
    const params = { name, missing: listed(missing) };
    return { ...diagnosticOf("auth-unsigned", params, { path: span.source.path }), span };
  });
  return [...strangers, ...unsigned];
}
