import { oncePer } from "../../contract/values.ts";
import type { ColumnShape, TableShape } from "./table.ts";

/**
 * A step from one shape of a database to the next. It adds tables and extends others, as they are defined now; then come
 * its own statements. A database records it by name, so a name is never used again.
 */
export interface SchemaStep {
  readonly name: string;
  readonly adds?: readonly TableShape[];
  readonly extends?: readonly Extension[];
  /**
   * Statements in each dialect, for everything else. A table that an earlier step adds may have its present shape already:
   * a database that lacked both steps.
   */
  readonly sql?: { readonly sqlite: string; readonly postgres: string };
  /** Fields whose names audit entries tell, by table and former name. Entries stay as they are; `verify` reads both names. */
  readonly renamed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What a table gets after it was released, by the names in SQL. What is there already stays as it is. */
export interface Extension {
  readonly table: TableShape;
  readonly columns?: readonly string[];
  readonly indexes?: readonly string[];
}

/** The name that a database records of its beginning, when everything was made at once. */
export const wholeName = "schema";

const inBoth = (sql: string) => ({ sqlite: sql, postgres: sql });

/** The steps of the engine's own tables since the baseline, oldest first. They run before the application's. */
const engineSteps: readonly SchemaStep[] = [
  // Cancellations bind by the generation of their subscription alone.
  { name: "cancellations-by-generation", sql: inBoth("ALTER TABLE cancellations DROP COLUMN until;\n") },
  // However many keys a user has revoked, the others are found at once.
  {
    name: "keys-by-state",
    sql: inBoth(`
CREATE INDEX device_keys_by_state ON device_keys (user_name, status, created_at, key_id);
DROP INDEX device_keys_by_user;
`),
  },
  // Dead letters stay: those of others are not passed over to find a subscription's.
  {
    name: "dead-by-subscription",
    sql: inBoth(`
CREATE INDEX deliveries_dead_by_subscription ON deliveries (subscription_id, created_at, id)
  WHERE died_at IS NOT NULL;
`),
  },
  // One-time passwords are sent ahead of mails that stay valid.
  {
    name: "urgent-mails",
    sql: inBoth(`
CREATE INDEX outbox_mails_urgent ON outbox_mails (expires_at) WHERE next_attempt_at IS NOT NULL;
`),
  },
];

/**
 * Every step that a database of this application may lack, in the order in which it gets them.
 * @throws Error where two steps have one name, or where a table cannot be extended as a step says.
 */
export const stepsOf: (schema: { readonly migrations: readonly SchemaStep[] }) => readonly SchemaStep[] =
  oncePer(({ migrations }) => {
    const steps = [...engineSteps, ...migrations];
    const names = [wholeName, ...steps.map(({ name }) => name)];
    const repeated = names.find((name, at) => names.indexOf(name) !== at);
    if (repeated !== undefined) {
      throw new Error(
        `migration ${repeated}: another one of the schema, or of the engine, has this name. Choose a new name`,
      );
    }
    for (const step of steps) {
      for (const extension of step.extends ?? []) requireExtensible(step.name, extension);
    }
    return steps;
  });

/** The columns that an extension names. */
export function addedColumns({ table, columns = [] }: Extension): readonly ColumnShape[] {
  const known = [...table.columns, ...table.columnsBeside];
  return columns.flatMap((name) => known.find((column) => column.name === name) ?? []);
}

function requireExtensible(step: string, extension: Extension): void {
  const { table, columns = [], indexes = [] } = extension;
  const found = addedColumns(extension);
  const known = [...found, ...table.indexes].map(({ name }) => name);
  const unknown = [...columns, ...indexes].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `migration ${step}: table ${table.name} has no column or index ${unknown}. Add it to the definition of the table, ` +
        "or correct the name",
    );
  }
  const bound = [
    table.key,
    ...table.unique,
    ...table.references.map((reference) => reference.columns),
    ...table.numbered.map(({ column }) => [column]),
  ].flat();
  for (const { name, optional, standard, sealed } of found) {
    const place = `migration ${step}: column ${name} of table ${table.name}`;
    if (!optional && (standard === undefined || sealed !== undefined)) {
      throw new Error(
        `${place} is required, and rows that exist have no value for it. Make it optional(…), or give it a value ` +
          "with defaulting(…); a sealed column can only be optional",
      );
    }
    if (bound.some((column) => column.name === name)) {
      throw new Error(
        `${place} is part of its key, a unique set, a reference or a numbering, which cannot be added later. ` +
          "Add a table that has it, and copy the rows with `sql`",
      );
    }
  }
}
