import * as tables from "../../tables/index.ts";
import { tablesInOrder } from "../moved-tables.ts";

/** Which rows of a table are an institution's, whose identifier is `$1`. */
export interface InstitutionRows {
  readonly table: string;
  readonly key: readonly string[];
  /** A condition. */
  readonly where: string;
  /** Of those, the ones that a service that runs leaves alone: they may be copied before they belong there. */
  readonly whereFinished: string | undefined;
  /** Columns that each database fills by itself. */
  readonly ownColumns: readonly string[];
  /** Rows that others of the table refer to come first. */
  readonly order: string | undefined;
}

const usersSql = "SELECT user_name FROM users WHERE institution_id = $1";
const ofUsers = `user_name IN (${usersSql})`;
const finished = "state IN ('DELIVERED', 'DEAD', 'CANCELLED')";
const finishedOf = (column: string): string =>
  `SELECT ${column} FROM deliveries WHERE institution_id = $1 AND ${finished}`;

/** Where it is not `institution_id = $1`. */
const conditions: Readonly<Record<string, string>> = {
  institutions: "id = $1",
  api_keys: ofUsers,
  device_keys: ofUsers,
  key_uses: ofUsers,
  registrations: ofUsers,
  nonces:
    `owner IN (SELECT 'user ' || user_name FROM users WHERE institution_id = $1 ` +
    `UNION ALL SELECT 'key ' || key_id FROM device_keys WHERE ${ofUsers})`,
  delivery_attempts: "delivery_id IN (SELECT id FROM deliveries WHERE institution_id = $1)",
  event_sequences: "subscription_id IN (SELECT id FROM subscriptions WHERE institution_id = $1)",
};

/** Delivery works on these: what is not finished is copied at the moment at which the institution moves. */
const finishedRows: Readonly<Record<string, string | undefined>> = {
  outbox_events: undefined,
  endpoint_health: undefined,
  events: `institution_id = $1 AND id IN (${finishedOf("event_id")})`,
  deliveries: `institution_id = $1 AND ${finished}`,
  delivery_attempts: `delivery_id IN (${finishedOf("id")})`,
};

/**
 * What stays: roots and keys belong to a database, and mails name no institution. The database that an institution leaves
 * sends its last mails.
 */
export const stayingTables: readonly string[] = ["chain_roots", "service_keys", "outbox_mails"];

const ownColumns: Readonly<Record<string, readonly string[]>> = { [tables.auditEntries.name]: ["sequence"] };

/** Every table whose rows move with an institution, those that others refer to first. */
export const institutionRows: readonly InstitutionRows[] = tablesInOrder
  .filter(({ name }) => !stayingTables.includes(name))
  .map(({ name, key, references, columns }) => {
    const where = conditions[name] ?? "institution_id = $1";
    const parent = references.find(({ to }) => to().name === name)?.columns.at(-1)?.name;
    return {
      table: name,
      key: key.map((column) => column.name),
      where,
      whereFinished: Object.hasOwn(finishedRows, name) ? finishedRows[name] : where,
      ownColumns: ownColumns[name] ?? [],
      order:
        parent === undefined || columns.every((column) => column.name !== "created_at")
          ? undefined
          : `${parent} IS NOT NULL, created_at, id`,
    };
  });
