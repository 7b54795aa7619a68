import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

/**
 * Which key seals what is sealed: CURRENT seals; FORMER ones may have sealed what is not sealed anew yet, and `none`
 * stands for texts that were not sealed at all. One-time tokens are kept as their SHA-256.
 */
export const sealKeys = `
CREATE TABLE seal_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('CURRENT', 'FORMER')),
  check_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO seal_keys VALUES ('none', 'FORMER', '', 0);
`;

export function hashTokens(database: DatabaseSync): void {
  const update = database.prepare("UPDATE registrations SET otp_token = ? WHERE otp_token = ?");
  for (const { otp_token: token } of database.prepare("SELECT otp_token FROM registrations").all()) {
    if (typeof token === "string") update.run(createHash("sha256").update(token).digest("hex"), token);
  }
}
