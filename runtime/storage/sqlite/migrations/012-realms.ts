/** A user belongs to the interface of any name, so that a new interface needs no migration. */
export const realms = `
DROP INDEX users_by_institution;
ALTER TABLE users ADD COLUMN interface TEXT NOT NULL DEFAULT 'ledger';
UPDATE users SET interface = realm;
ALTER TABLE users DROP COLUMN realm;
ALTER TABLE users RENAME COLUMN interface TO realm;
CREATE INDEX users_by_institution ON users (institution_id, realm, user_name);
`;
