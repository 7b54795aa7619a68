export { signedEnvelope } from "./signed-envelope.ts";
