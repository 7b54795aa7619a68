import { provesKey } from "../../conformance/suite/proves-key.ts";
import { diagnosticOf, type Diagnostic } from "../language/diagnostics/index.ts";
import { listed } from "../language/diagnostics/entry.ts";
import type { ServiceModel } from "../model/service-model.ts";

/** The members of `params.api` that the scheme reads, and those that prove a key: a method has both or neither. */
const known: readonly string[] = ["credential", "keyId", "signature", "apiKey"];
const ofKeys: readonly string[] = ["keyId", "signature"];

/**
 * Members of `params.api` that the scheme `signedEnvelope` does not read, and methods that lack the credential or one half
 * of the proof of a key. What another scheme reads is its own business.
 */
export function unserved({ authScheme, auth, methods }: ServiceModel): readonly Diagnostic[] {
  if (authScheme !== "signedEnvelope") return [];
  const strangers = auth.flatMap(({ name, span }) =>
    known.includes(name)
      ? []
      : { ...diagnosticOf("auth-member-unsupported", { name }, { path: span.source.path }), span },
  );
  const unsigned = methods.flatMap(({ name, transport, span }) => {
    if (transport.kind !== "enveloped") return [];
    const wanted = ["credential", ...(provesKey(transport) ? ofKeys : [])];
    const missing = wanted.filter((member) => !transport.auth.includes(member));
    if (missing.length === 0) return [];
    const params = { name, missing: listed(missing) };
    return { ...diagnosticOf("auth-unsigned", params, { path: span.source.path }), span };
  });
  return [...strangers, ...unsigned];
}
