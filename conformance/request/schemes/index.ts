import { isOwnKind } from "../../suite/json-rpc.ts";
import { apiKey } from "./api-key.ts";
import { basic } from "./basic.ts";
import { bearer } from "./bearer.ts";
import { clientCert } from "./client-cert.ts";
import { hmac } from "./hmac.ts";
import { jwt } from "./jwt.ts";
import { messageSignature } from "./message-signature.ts";
import { ownKind } from "./own.ts";
import type { SchemeKind } from "./scheme.ts";
import { signedEnvelope, type EnvelopeScheme } from "./signed-envelope.ts";

export type { SchemeKind } from "./scheme.ts";

/** The kinds that the language knows. A kind of one's own is `x-<name>`, with any options. */
export const schemeKinds: Readonly<Record<string, SchemeKind>> = Object.fromEntries(
  [basic, bearer, jwt, apiKey, hmac, messageSignature, clientCert].map((entry) => [entry.kind, entry]),
);

/** The schemes whose proof is a part of the message, by their names in `auth.scheme`. */
const envelopeSchemes: Readonly<Record<string, EnvelopeScheme>> = { signedEnvelope };

/** The scheme that `auth.scheme` names. Nothing for one of the project's own. */
export function envelopeSchemeOf(name: string): EnvelopeScheme | undefined {
  return Object.hasOwn(envelopeSchemes, name) ? envelopeSchemes[name] : undefined;
}

/** A kind as the language knows it. Nothing for an unknown one. */
export function schemeKindOf(kind: string): SchemeKind | undefined {
  if (isOwnKind({ kind })) return ownKind(kind);
  return Object.hasOwn(schemeKinds, kind) ? schemeKinds[kind] : undefined;
}
