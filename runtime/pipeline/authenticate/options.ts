import type { InterfaceDescriptor } from "../../contract/index.ts";
import type { Clock, UserRecord } from "../../ports/index.ts";
import type { SignatureVerifier } from "../../signing/index.ts";
import type { FaultFactory } from "../fault.ts";
import type { PipelineRules } from "../options.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { CallerCache } from "./caller-cache.ts";

/** What the steps of authentication share. */
export interface AuthenticateOptions {
  readonly interfaceDescriptor: InterfaceDescriptor;
  readonly realm: UserRecord["realm"];
  readonly fault: FaultFactory;
  readonly clock: Clock;
  readonly callers: CallerCache;
  readonly verifier: SignatureVerifier;
  readonly rules: PipelineRules;
  /** Counts the requests of each credential (D-45). */
  readonly limit?: RateLimiter | undefined;
}
