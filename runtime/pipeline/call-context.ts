import type { MethodDescriptor } from "../contract/index.ts";

/** What is known of a call while it is under way: what its answer, its log line and its metrics need even if it fails. */
export interface CallContext {
  /** The request id to echo; null until a valid one was read, and for flat bodies. */
  id: string | null;
  method?: MethodDescriptor;
  /** Verified: credential and key are this user's. */
  userName?: string;
  keyId?: string;
  /** Headers of the answer. */
  headers: Readonly<Record<string, string>>;
}
