/** Nonces of message signatures outlive the process (D-24), until they have expired. */
export const nonces = `
CREATE TABLE nonces (
  owner TEXT NOT NULL,
  nonce TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (owner, nonce)
) STRICT, WITHOUT ROWID;
CREATE INDEX nonces_by_expiry ON nonces (expires_at);
`;
