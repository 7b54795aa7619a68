import { envelopeSchemeOf } from "../../conformance/request/schemes/index.ts";
import { provesKey } from "../../conformance/suite/methods.ts";
import { diagnosticOf, type Diagnostic } from "../language/diagnostics/index.ts";
import { listed } from "../language/diagnostics/entry.ts";
import type { ServiceModel } from "../model/service-model.ts";

/**
 * Members of `params.api` that the scheme of the interface does not read, and methods that lack the credential or one half
 * of the proof of a key. Only a project knows what a scheme of its own reads.
 */
export function unserved({ authScheme, auth, methods }: ServiceModel): readonly Diagnostic[] {
  const scheme = envelopeSchemeOf(authScheme);
  if (scheme === undefined) return [];
  const strangers = auth.flatMap(({ name, span }) =>
    Object.hasOwn(scheme.members, name)
      ? []
      : { ...diagnosticOf("auth-member-unsupported", { name }, { path: span.source.path }), span },
  );
  const unsigned = methods.flatMap(({ name, transport, span }) => {
    if (transport.kind !== "enveloped") return [];
    const wanted = [...scheme.always, ...(provesKey(transport) ? scheme.ofKeys : [])];
    const missing = wanted.filter((member) => !transport.auth.includes(member));
    if (missing.length === 0) return [];
    const params = { name, missing: listed(missing) };
    return { ...diagnosticOf("auth-unsigned", params, { path: span.source.path }), span };
  });
  return [...strangers, ...unsigned];
}
