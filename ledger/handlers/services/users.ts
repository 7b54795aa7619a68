import type { InviteUserPayload } from "../../../generated/operator/types.ts";
import type { RpcError, RpcErrorDetail } from "../../../runtime/contract/index.ts";
import { newUser as newUserOfGroups } from "../../../runtime/operations/admin/index.ts";
import type { WriteContext } from "../../../runtime/pipeline/index.ts";
import { scopedReader } from "./scoped-reader.ts";
import { createHash, timingSafeEqual, scrypt } from "node:crypto";
import type { IdSource, RegistrationRecord, Writes } from "../../../runtime/store/ports/index.ts";
import { promisify } from "node:util";
import { removeMail } from "../../../runtime/events/mail/index.ts";
import { mailsOfRecipient } from "../../../runtime/store/tables/index.ts";

type Context = Pick<WriteContext, "caller" | "clock" | "store"> & {
  error(code: "NOT_FOUND_CUSTOMER", detail: RpcErrorDetail<`/customerIds/${number}`>): RpcError;
  error(code: "CONFLICT", detail: RpcErrorDetail<"/userName">): RpcError;
};

type Asked = Pick<InviteUserPayload, "userName" | "email" | "scopes" | "customerIds">;

/** Adds a user of the operator's institution, without a key, and gives its whole name. */
export async function newUser(
  context: Context,
  { customerIds, ...asked }: Asked,
  realm: string,
): Promise<string> {
  const { userName, email, scopes } = asked;
  const known = await scopedReader(context).knownCustomers(customerIds ?? []);
  const unknownAt = customerIds?.findIndex((id) => !known.has(id)) ?? -1;
  if (unknownAt >= 0) throw context.error("NOT_FOUND_CUSTOMER", { field: `/customerIds/${unknownAt}` });
  return newUserOfGroups(context, { userName, email, scopes, groups: customerIds }, realm);
}

/** How often and how long a one-time password may be tried (D-20). */
export const oneTimePasswordLimits = {
  digits: 6,
  validMs: 5 * 60_000,
  /** How much longer it may seem to be valid: the clocks of two processes differ. More says that the clock was set back. */
  skewMs: 60_000,
  triesPerToken: 5,
  /** In a row, over all tokens of a user; then the user waits for `lockMs`. */
  consecutiveFailures: 10,
  lockMs: 15 * 60_000,
} as const;

const tokenBytes = 16;

/** A new token of 32 hexadecimal digits and the one-time password that goes with it (D-20). */
export function newOneTimePassword(ids: IdSource): { readonly otpToken: string; readonly otp: string } {
  const { digits } = oneTimePasswordLimits;
  return {
    otpToken: Buffer.from(ids.bytes(tokenBytes)).toString("hex"),
    otp: ids
      .integer(10 ** digits)
      .toString()
      .padStart(digits, "0"),
  };
}

/** The stored hash of a one-time password: SHA-256 over it and its token, lower-case hex. */
export function hashOneTimePassword(otpToken: string, otp: string): string {
  return oneTimePasswordDigest(otpToken, otp).toString("hex");
}

/** Whether the password is the registration's: as much work where there is no registration, in constant time. */
export function matchesOneTimePassword(
  registration: RegistrationRecord | undefined,
  otpToken: string,
  otp: string,
): boolean {
  const digest = oneTimePasswordDigest(otpToken, otp);
  const stored =
    registration === undefined ? Buffer.alloc(digest.length) : Buffer.from(registration.otpHash, "hex");
  return stored.length === digest.length && timingSafeEqual(stored, digest) && registration !== undefined;
}

/** The token has no colon, so the two cannot run into each other. */
function oneTimePasswordDigest(otpToken: string, otp: string): Buffer {
  return createHash("sha256").update(`${otpToken}:${otp}`).digest();
}

/** The portal login of a legal representative (D-35). Password and TOTP secret leave by mail only. */
interface NewPortalLogin {
  readonly userName: string;
  readonly password: string;
  /** `scrypt$N$r$p$salt$hash`, salt and hash in base64. */
  readonly passwordHash: string;
  /** 160 bits in base 32, as authenticator apps take it (RFC 4226, section 4). */
  readonly totpSecret: string;
}

/**
 * 1 MiB and some 3 ms. The password is 104 random bits and not a word that a person chose, so that a costlier hash protects
 * nothing. Other writers of SQLite wait for it, and one user asks for many at once.
 */
const cost = { N: 1_024, r: 8, p: 1 };
const lengths = { userNameBytes: 5, passwordBytes: 13, totpSecretBytes: 20, saltBytes: 16, hashBytes: 32 };

const derive: (password: string, salt: Uint8Array, length: number, options: typeof cost) => Promise<Buffer> =
  promisify(scrypt);

/** Draws a new login. */
export async function newPortalLogin(ids: IdSource): Promise<NewPortalLogin> {
  const password = base32(ids.bytes(lengths.passwordBytes)).toLowerCase();
  const salt = ids.bytes(lengths.saltBytes);
  const hash = await derive(password, salt, lengths.hashBytes, cost);
  const parameters = `${cost.N}$${cost.r}$${cost.p}`;
  return {
    userName: `rep-${base32(ids.bytes(lengths.userNameBytes)).toLowerCase()}`,
    password,
    passwordHash: `scrypt$${parameters}$${Buffer.from(salt).toString("base64")}$${hash.toString("base64")}`,
    totpSecret: base32(ids.bytes(lengths.totpSecretBytes)),
  };
}

/** Removes the unsent mails with a login of the legal representative: it is valid no longer. */
export async function removeLoginMails(tx: Writes, institutionId: string, legalRepId: string): Promise<void> {
  const found = await Promise.all(
    ["PENDING", "FAILED"].map((state) =>
      tx.many(mailsOfRecipient, institutionId, legalRepId, "portal-login", state),
    ),
  );
  for (const { id } of found.flat()) await removeMail(tx, id);
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const bitsPerDigit = 5;

/** Bytes in base 32 (RFC 4648, section 6) without padding, as authenticator apps take secrets. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  let digits = "";
  for (let at = 0; at < bits.length; at += bitsPerDigit) {
    digits += alphabet.charAt(
      Number.parseInt(bits.slice(at, at + bitsPerDigit).padEnd(bitsPerDigit, "0"), 2),
    );
  }
  return digits;
}
