import type { TimeSource } from "../../contract/times.ts";

/** The time. Everything that asks for it asks here, so that a test can live through ten days in a second. */
export interface Clock extends TimeSource {
  /** Calls back once after `delayMs`; the returned function cancels. Never keeps the process alive by itself. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** Random identifiers and secrets. A seeded one replays a run. */
export interface IdSource {
  /** An opaque identifier, unique and unguessable: 26 characters, sortable by creation. */
  id(): string;
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
  /** A uniform integer from 0 up to but not including `limit`. */
  integer(limit: number): number;
}

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachments?: readonly {
    readonly fileName: string;
    readonly contentType: string;
    /** Referenced from `html` as `cid:<contentId>`. */
    readonly contentId?: string;
    readonly contentBase64: string;
  }[];
}

/**
 * Sends one mail, now. Rejects if it was not accepted: with a `MailError` that says whose fault it is, or with an
 * `UnavailableError` where it is this machine's.
 */
export interface MailAttempt {
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** Called once the server was sent the whole mail. Until it answers, whether it takes the mail is unknown. */
  handedOver(): void;
}

export interface Mailer {
  /** Resolves once the server has taken the mail. */
  send(message: MailMessage, attempt?: MailAttempt): Promise<void>;
  /** Resolves if mails could be sent now; rejects as `send` does. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Seals secrets at rest (AES-256-GCM under the service's own key). */
export interface Sealer {
  /** Identifier of the key that seals; `keyIdOfSealed` gives it of each text. */
  readonly keyId: string;
  seal(plaintext: string): string;
  /** Throws if the text was not sealed by this key, or by a former one that is given beside it. */
  open(sealed: string): string;
}

const sealedText = /^(?:v1|v2\.([0-9a-f]{16}))\.[A-Za-z0-9_-]*$/;

/**
 * Identifier of the key that sealed a text; `""` for a text of before keys had identifiers (`v1.`), and nothing for one
 * that is not sealed.
 */
export function keyIdOfSealed(text: string): string | undefined {
  const found = sealedText.exec(text);
  return found === null ? undefined : (found[1] ?? "");
}
