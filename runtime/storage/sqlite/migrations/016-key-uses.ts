/** When keys were last used, apart from the keys: their records are audited, and a use changes none of them. */
export const keyUses = `
CREATE TABLE key_uses (
  user_name TEXT NOT NULL REFERENCES users (user_name),
  key_id TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (user_name, key_id)
) STRICT, WITHOUT ROWID;
`;
