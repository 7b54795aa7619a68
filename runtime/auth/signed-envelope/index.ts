export { signedEnvelope } from "./signed-envelope.ts";
export type { SignedEnvelopeOptions } from "./options.ts";
