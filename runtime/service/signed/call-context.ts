import type { MethodDescriptor } from "../../contract/index.ts";
import type { FailedSignIn } from "../../protocol/signed-envelope/raw-exchange.ts";

/** The state of a call while it is under way: its answer, its log line and its metrics need it even if the call fails. */
export interface CallContext {
  /** The request id to echo; null until a valid one was read, and for flat bodies. */
  id: string | null;
  method?: MethodDescriptor;
  /** Verified: credential and key are this user's. */
  userName?: string;
  keyId?: string;
  failedSignIn?: FailedSignIn;
  /** Headers of the answer. */
  headers: Readonly<Record<string, string>>;
}
