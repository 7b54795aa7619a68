import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SendMailOptions } from "nodemailer";
import { messageOf, omitUndefined } from "../../contract/index.ts";
import { networkWord } from "../../platform/network-words.ts";
import { MailError, type MailFailure } from "./mail-error.ts";
import {
  UnavailableError,
  type Clock,
  type IdSource,
  type Mailer,
  type MailMessage,
} from "../../store/ports/index.ts";

export interface FolderMailerOptions {
  readonly folder: string;
  readonly from: string;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/**
 * Writes each mail as an `.eml` file (RFC 5322) into a folder that only its owner can read. Rejects with an
 * `UnavailableError` where the disk does not take it.
 */
export function folderMailer({ folder, from, clock, ids }: FolderMailerOptions): Mailer {
  return {
    async send(message) {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({ streamTransport: true, buffer: true, newline: "unix" });
      const sent = await transport.sendMail({ ...optionsOf(message, from), date: new Date(clock.now()) });
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(asUnavailable);
      const file = join(folder, `${ids.id()}.eml`);
      try {
        await writeFile(`${file}.part`, sent.message, { mode: 0o600 });
        await rename(`${file}.part`, file);
      } catch (error) {
        await rm(`${file}.part`, { force: true }).catch(() => undefined);
        asUnavailable(error);
      }
    },
    // A folder without room fails with each mail, which costs it nothing.
    async check() {},
    async close() {},
  };
}

const fullCodes: readonly unknown[] = ["ENOSPC", "EDQUOT", "EFBIG"];

/** A folder that cannot be written is a fault of this machine, not of the mail. */
function asUnavailable(cause: unknown): never {
  const isFull = cause instanceof Error && "code" in cause && fullCodes.includes(cause.code);
  throw new UnavailableError(isFull ? "disk-full" : "disk-fault", {
    cause,
    message: `the mail folder cannot be written to: ${String(cause)}`,
  });
}

export interface SmtpMailerOptions {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the first byte; `starttls`: upgraded, and refused without; `none`: plain, for a relay on this machine. */
  readonly security: "tls" | "starttls" | "none";
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
}

/** How long a server may stay silent, and how long before it takes a mail that it was sent (RFC 5321, section 4.5.3.2.6). */
const silenceMs = 15_000;
export const acceptLimitMs = 600_000;

/** Sends through an SMTP server (RFC 5321). `check` gives up on a server that stays silent for 15 s. */
export function smtpMailer(options: SmtpMailerOptions): Mailer {
  const { host, port, security, user, password, from } = options;
  const connect = async (socketTimeout: number) => {
    const { createTransport } = await import("nodemailer");
    return createTransport({
      host,
      port,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      connectionTimeout: silenceMs,
      greetingTimeout: silenceMs,
      socketTimeout,
      ...omitUndefined({
        auth: user === undefined || password === undefined ? undefined : { user, pass: password },
      }),
    });
  };
  return {
    async send(message, attempt) {
      // Whoever asks ends attempts that take too long before the mail was handed over.
      const transport = await connect(attempt === undefined ? silenceMs : acceptLimitMs);
      let isHandedOver = false;
      transport.use("stream", (mail, done) => {
        mail.message.processFunc((body) =>
          body.once("end", () => {
            isHandedOver = true;
            attempt?.handedOver();
          }),
        );
        done();
      });
      const mail = { ...optionsOf(message, from), ...omitUndefined({ signal: attempt?.signal }) };
      await transport
        .sendMail(mail)
        .catch((cause: unknown) => asMailError(cause, isHandedOver))
        .finally(() => transport.close());
    },
    async check() {
      const transport = await connect(silenceMs);
      await transport
        .verify()
        .catch((cause: unknown) => asMailError(cause, false))
        .finally(() => transport.close());
    },
    async close() {},
  };
}

/** Codes of nodemailer for what concerns one mail: its recipient, its content. */
const codesOfMail: readonly unknown[] = ["EENVELOPE", "EMESSAGE", "EMAXRECIPIENTS"];
/** Service not available, closing the channel (RFC 5321, section 3.8). */
const closingCode = 421;

function asMailError(cause: unknown, isHandedOver: boolean): never {
  throw new MailError(failureOf(cause, isHandedOver), messageOf(cause), { cause, word: wordOf(cause) });
}

/** What operators read of a failure: the server's codes (RFC 5321, RFC 3463), or a fixed word. */
function wordOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const response = error instanceof Error && "response" in error ? String(error.response) : "";
  const [, status, enhanced] = /^([2-5]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? [];
  if (status !== undefined) return enhanced === undefined ? `smtp-${status}` : `smtp-${status} ${enhanced}`;
  return words.get(code) ?? networkWord(error);
}

const words: ReadonlyMap<unknown, string> = new Map([
  ["EAUTH", "login-failed"],
  ["ENOAUTH", "login-failed"],
  ["EPROTOCOL", "no-smtp"],
  ["EENVELOPE", "bad-address"],
  ["EMESSAGE", "bad-message"],
]);

function failureOf(error: unknown, isHandedOver: boolean): MailFailure {
  if (!(error instanceof Error)) return "unsendable";
  const code = "code" in error ? error.code : undefined;
  const command = "command" in error ? error.command : undefined;
  const responseCode = "responseCode" in error ? error.responseCode : undefined;
  if (responseCode === closingCode) return "unreachable";
  // The sender is the same for all mails.
  if (codesOfMail.includes(code))
    return command === "MAIL FROM" && responseCode !== undefined ? "server" : "refused";
  if (code === "ETIMEDOUT" && error.message === "Timeout") return "timeout";
  // It was reached, and says nothing of a mail that it may have taken.
  return isHandedOver && responseCode === undefined ? "server" : "unreachable";
}

function optionsOf(message: MailMessage, from: string): SendMailOptions {
  return {
    from,
    to: message.to,
    subject: message.subject,
    text: message.text,
    ...omitUndefined({ html: message.html }),
    attachments: (message.attachments ?? []).map((attachment) => ({
      filename: attachment.fileName,
      contentType: attachment.contentType,
      content: Buffer.from(attachment.contentBase64, "base64"),
      ...omitUndefined({ cid: attachment.contentId }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
