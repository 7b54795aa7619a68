export type { Caller } from "./auth-services.ts";
export { callerOf, holderOf, parseCredential } from "./signed-envelope/credential.ts";
export { signMessage, type MessageToSign } from "./http-signatures.ts";
export type { SchemeVerifier } from "./port.ts";
export { createReplayRegister, type ReplayRegister } from "./replays.ts";
export { signedEnvelope } from "./signed-envelope/signed-envelope.ts";
