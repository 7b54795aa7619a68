/**
 * Where an institution is, where it is not simply here: `MOVED` to the database of that name, `PAUSED` (its writes) until
 * a time by this database's clock, or `ARRIVING` from the database of that name. `user_places` keeps user names unique over
 * several databases. Every work of the service's own holds the one row of `gate`, so that a move can wait for it.
 */
export const institutionPlaces = `
CREATE TABLE institution_places (
  institution_id TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('MOVED', 'PAUSED', 'ARRIVING')),
  database_name TEXT COLLATE "C" NOT NULL,
  paused_until BIGINT NOT NULL,
  PRIMARY KEY (institution_id)
);
CREATE TABLE user_places (
  user_name TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (user_name)
);
CREATE TABLE gate (
  id BIGINT NOT NULL,
  paused_until BIGINT NOT NULL,
  PRIMARY KEY (id)
);
INSERT INTO gate VALUES (1, 0);
ALTER TABLE answers ADD COLUMN institution_id TEXT COLLATE "C";
CREATE INDEX answers_by_institution ON answers (institution_id);
CREATE INDEX outbox_events_by_institution ON outbox_events (institution_id, id);
CREATE INDEX events_by_institution ON events (institution_id, id);
`;
