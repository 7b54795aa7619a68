import type { Frame } from "../base/frame.ts";

/** How calls of a standard interface travel (JSON-RPC 2.0). */
export interface JsonRpcEntry {
  readonly protocol: "json-rpc-2.0";
  /** The names of the members of messages, where they are not those of JSON-RPC 2.0. */
  readonly frame?: Frame;
  /** `ok`: every answer has status 200; `mapped`: an error that is not part of a batch has its own. */
  readonly status: "ok" | "mapped";
  /** HTTP status where there is nothing to answer. */
  readonly notified: 202 | 204;
  readonly batch: false | { readonly max: number };
  readonly schemes: readonly SchemeEntry[];
}

/** An authentication scheme, with the options that the spec gives it. */
export interface SchemeEntry {
  readonly name: string;
  readonly kind: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Whether a scheme is the project's own, which only its verifier knows. */
export function isOwnKind({ kind }: Pick<SchemeEntry, "kind">): boolean {
  return /^x-[a-z][a-z0-9-]*$/.test(kind);
}

/** Schemes that all have to hold for a call. */
export type SecurityAlternative = readonly SchemeUse[];

export interface SchemeUse {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export interface JsonRpcTransportEntry {
  readonly kind: "json-rpc";
  readonly params: "by-name" | "by-position" | "either";
  readonly notify: "never" | "allowed" | "only";
  /** Alternatives of which one has to hold; none: open. An empty one: authentication is optional. */
  readonly security: readonly SecurityAlternative[];
}

/** How parameters are written (section 4.2): by their names, by their positions, or not at all. */
export type WrittenParams = "by-name" | "by-position" | "none";

/** One item of a batch: a call, or any JSON value. */
export type BatchItem =
  | {
      readonly kind: "call";
      readonly method: string;
      readonly payload?: unknown;
      readonly base?: string;
      /** `null` is an id, absent is a notification. */
      readonly id?: string | number | null;
    }
  | { readonly kind: "value"; readonly value: unknown };

/** Credentials that a request carries: in place of those of the first alternative that the access file allows. */
export type CredentialsPlan = readonly CredentialPlan[];

export interface CredentialPlan extends SchemeUse {
  readonly change?: CredentialChange;
  /** It is right, and grants no more than `scopes`. */
  readonly limited?: true;
}

/**
 * The fault of a credential. `replayed`: it is right, and was sent once before. The parts that a signature covers are
 * changed after signing.
 */
export type CredentialChange =
  | "malformed"
  | "empty"
  | "wrong"
  | "stranger"
  | "unknown-key"
  | "expired"
  | "early"
  | "replayed"
  | "alg-none"
  | "other-algorithm"
  | "other-issuer"
  | "other-audience"
  | "claim-missing"
  | "timestamp-changed"
  | "nonce-changed"
  | "body-changed"
  | "path-changed"
  | "method-changed"
  | "uncovered";

/** How one of several calls has to be answered. */
export interface BatchAnswer {
  readonly id: string | number | null;
  readonly method?: string;
  /** Names of the errors of which it has to be one; absent: a result. */
  readonly codes?: readonly string[];
}
