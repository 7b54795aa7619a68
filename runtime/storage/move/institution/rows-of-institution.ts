import * as tables from "../../tables/index.ts";
import { tablesInOrder } from "../moved-tables.ts";

/** Which rows of a table are an institution's, whose identifier is `$1`. */
export interface InstitutionRows {
  readonly table: string;
  readonly key: readonly string[];
  /** A condition: those that a service leaves alone that runs on the target. They are copied while the institution is served. */
  readonly whereServed: string | undefined;
  /** A condition: those that delivery works on. They are copied with the institution's arrival. */
  readonly whereLive: string | undefined;
  /** Names rows that are copied together: columns of the key, each with whether it is a number. */
  readonly unit: readonly { readonly name: string; readonly isNumber: boolean }[];
  /** Columns that each database fills by itself. */
  readonly ownColumns: readonly string[];
  /** Rows that others of the table refer to come first. */
  readonly order: string | undefined;
}

const usersSql = "SELECT user_name FROM users WHERE institution_id = $1";
const ofUsers = `user_name IN (${usersSql})`;
const ofInstitution = "institution_id = $1";
/** A delivery that is to be sent is due at some time: workers look for no others. */
const isOpen = `${ofInstitution} AND due_at IS NOT NULL`;
const isFinished = `${ofInstitution} AND due_at IS NULL`;

/** Where `whereServed` is not `institution_id = $1`. */
const served: Readonly<Record<string, string | undefined>> = {
  institutions: "id = $1",
  api_keys: ofUsers,
  device_keys: ofUsers,
  key_uses: ofUsers,
  registrations: ofUsers,
  nonces:
    `owner IN (SELECT 'user ' || user_name FROM users WHERE institution_id = $1 ` +
    `UNION ALL SELECT 'key ' || key_id FROM device_keys WHERE ${ofUsers})`,
  outbox_events: undefined,
  endpoint_health: undefined,
  deliveries: isFinished,
  delivery_attempts: `delivery_id IN (SELECT id FROM deliveries WHERE ${isFinished})`,
  event_sequences: "subscription_id IN (SELECT id FROM subscriptions WHERE institution_id = $1)",
};

/** An event is there before its deliveries are, however old it is. */
const live: Readonly<Record<string, string>> = {
  outbox_events: ofInstitution,
  endpoint_health: ofInstitution,
  events: `id IN (SELECT event_id FROM deliveries WHERE ${isOpen})`,
  deliveries: isOpen,
  delivery_attempts: `delivery_id IN (SELECT id FROM deliveries WHERE ${isOpen})`,
};

/**
 * The tables that stay: roots and keys belong to a database, and mails name no institution. The database that an
 * institution leaves sends its last mails.
 */
const stayingTables: readonly string[] = ["chain_roots", "service_keys", "outbox_mails", "mail_attempts"];

const ownColumns: Readonly<Record<string, readonly string[]>> = {
  [tables.auditEntries.name]: ["sequence", "number"],
};

/** Every table whose rows move with an institution, those that others refer to first. */
export const institutionRows: readonly InstitutionRows[] = tablesInOrder
  .filter(({ name }) => !stayingTables.includes(name))
  .map(({ name, key, references, columns }) => {
    const unit = name === tables.deliveryAttempts.name ? key.slice(0, 1) : key;
    const parent = references.find(({ to }) => to().name === name)?.columns.at(-1)?.name;
    return {
      table: name,
      key: key.map((column) => column.name),
      whereServed: Object.hasOwn(served, name) ? served[name] : ofInstitution,
      whereLive: live[name],
      unit: unit.map((column) => ({ name: column.name, isNumber: column.type !== "text" })),
      ownColumns: ownColumns[name] ?? [],
      order:
        parent === undefined || columns.every((column) => column.name !== "created_at")
          ? undefined
          : `${parent} IS NOT NULL, created_at, id`,
    };
  });
