/** Operators list the users of their institution, and the signing keys of a user. */
export const usersOfInstitution = `
CREATE INDEX users_by_institution ON users (institution_id, realm, user_name);
CREATE INDEX device_keys_by_user ON device_keys (user_name, created_at, key_id);
`;
