import type { BatchAnswer, BatchItem, CredentialsPlan, WrittenParams } from "./json-rpc.ts";
import type { Level } from "./level.ts";

/** One request and how it has to be answered. */
export interface Case {
  /** Stable: `AccountService.GetAccount/payload/ID/empty`. */
  readonly id: string;
  /** The operation that it tries. */
  readonly method: string;
  readonly title: string;
  readonly level: Level;
  /** Sections and decisions it rests on. */
  readonly origin: readonly string[];
  /** The rule of the spec that it tries, where it tries one. */
  readonly rule?: string;
  readonly request: RequestPlan;
  readonly expect: Expectation;
}

/**
 * How a request is made from a method's base payload. Absent parts are as a well-behaved caller sends them. In any
 * value, `{{name}}` stands for a sample or a member of the caller's identity. An object with one member that starts
 * with `$` stands for a computed value: see `resolve-value.ts`.
 */
export interface RequestPlan {
  readonly base?: string;
  /** In place of a base. */
  readonly payload?: unknown;
  readonly edits?: readonly Edit[];
  /** How the payload is written. `canonical`, the default, reads the same however a server gets at the signed bytes. */
  readonly text?: "canonical" | "spaced" | "reversed" | "escaped";
  readonly signature?: SignaturePlan;
  /** On `params.api`, after signing. `{{}}` stand for members of the caller's identity and for samples. */
  readonly api?: readonly Edit[];
  readonly envelope?: readonly Edit[];
  /** On the text of the body, last of all: what is found (`^` and `$` are its ends), and what takes its place. */
  readonly body?: readonly (readonly [string, unknown])[];
  /** The whole body, in place of everything. */
  readonly raw?: string;
  /** `null` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Header signatures beside an envelope (D-23). */
  readonly headerSignature?: "agrees" | "differs" | "other-key" | "credential-only" | "credential-differs";
  /** For a standard interface: how parameters are written, unless as the method asks for. */
  readonly params?: WrittenParams;
  /** For a standard interface: the calls of a batch, instead of one call. */
  readonly batch?: readonly BatchItem[];
  /** For a standard interface: instead of the credentials of the first alternative that the access file allows. */
  readonly credentials?: CredentialsPlan;
  readonly httpMethod?: string;
  /** Appended to, or in place of, the path of the interface. */
  readonly path?: string;
}

/** JSON Pointer and what is done there. */
export type Edit =
  | { readonly op: "set"; readonly at: string; readonly value: unknown }
  | { readonly op: "omit"; readonly at: string }
  | { readonly op: "rename"; readonly at: string; readonly to: string };

export interface SignaturePlan {
  /**
   * The text that is signed: the payload's bytes as sent, the same value in canonical form or printed again, something
   * else. `earlier`: the base without edits, which is sent first; its signature is then sent again with the edited
   * payload.
   */
  readonly over?: "bytes" | "canonical" | "printed" | "other" | "envelope" | "empty" | "earlier";
  readonly encoding?: "der" | "p1363";
  /** `stranger`: an unregistered key pair. */
  readonly key?: "caller" | "stranger";
  readonly change?: SignatureChange;
  readonly hash?: "sha256" | "sha512";
}

export type SignatureChange =
  | "flip-bit"
  | "cut"
  | "extend"
  | "url-safe"
  | "unpadded"
  | "line-break"
  | "blank"
  | "zero";

export type Expectation =
  | {
      readonly kind: "result";
      readonly match?: unknown;
      readonly idText?: string;
      /** From which level on an error counts, where the document does not say that such a request is taken. */
      readonly takenFrom?: Level;
    }
  | {
      readonly kind: "error";
      readonly codes: readonly string[];
      /** The document itself names the code for this. */
      readonly documented?: boolean;
      /** JSON Pointer of the field that has to be named, where one is named. */
      readonly field?: string;
      readonly reason?: string;
      readonly rpcCode?: number;
      /** HTTP status, where it is not that of errors of parsed envelopes. */
      readonly status?: number | readonly number[];
      readonly headers?: Readonly<Record<string, string>>;
      /** For a standard interface: the bytes of the id, if they say more than its value. */
      readonly idText?: string;
      /** `null`: no id could be read. `any`: the case does not look at it. Absent: that of the request. */
      readonly id?: null | "any";
    }
  /** Authentication and validation let it pass: a result, or an error about something else. */
  | { readonly kind: "taken"; readonly notCodes: readonly string[] }
  /** Nothing: the message was a notification (JSON-RPC 2.0, section 4.1). */
  | { readonly kind: "silent" }
  /** A list of answers (section 6), one for each call that is no notification, in the order of the calls. */
  | { readonly kind: "batch"; readonly answers: readonly BatchAnswer[] }
  /** Any answer of the interface. */
  | { readonly kind: "answered" };
