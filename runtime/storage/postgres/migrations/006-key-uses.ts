/** When keys were last used, apart from the keys: their records are audited, and a use changes none of them. */
export const keyUses = `
CREATE TABLE key_uses (
  user_name TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (user_name, key_id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
);
`;
