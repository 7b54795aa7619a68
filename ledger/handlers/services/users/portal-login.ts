import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import { removeMail } from "../../../../runtime/events/mail/index.ts";
import type { IdSource, Writes } from "../../../../runtime/store/ports/index.ts";
import { mailsOfRecipient } from "../../../../runtime/store/tables/index.ts";

/** The portal login of a legal representative (D-35). Password and TOTP secret leave by mail only. */
export interface NewPortalLogin {
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
