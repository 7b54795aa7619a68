import { diagnosticOf, type Diagnostic } from "../diagnostics/index.ts";
import { listed } from "../diagnostics/entry.ts";
import type { ServiceModel } from "../model/service-model.ts";

/** The members of `params.api` that the runtime and the client know, and those by which every call is signed. */
const known: readonly string[] = ["credential", "keyId", "signature", "apiKey"];
const always: readonly string[] = known.slice(0, 3);

/**
 * Ways of authentication that a spec can tell of, and that neither the service nor the client has: both sign every
 * call in an envelope.
 */
export function unserved({ auth, methods }: ServiceModel): readonly Diagnostic[] {
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
