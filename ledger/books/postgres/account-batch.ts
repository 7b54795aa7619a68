import { soughtValue, type PgValue } from "../../../runtime/store/postgres/dialect.ts";
import type { SharedSession } from "../../../runtime/store/postgres/reading/shared-session.ts";

/** The institution and the identifier of an account. */
export type AccountKey = readonly [institutionId: string, id: string];

/** Asks for many accounts by one statement. */
export interface AccountBatch {
  /** The value of an account, as JSON; `undefined` where there is no such account. */
  find(key: AccountKey): Promise<PgValue | undefined>;
}

/** Those behind them do not wait long for a statement of so many. */
const keysMax = 64;

interface Waiting {
  readonly key: AccountKey;
  readonly resolve: (value: PgValue | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** The parameters of a statement that asks for accounts: an array of institutions and one of identifiers. */
export function soughtKeys(keys: readonly AccountKey[]): readonly PgValue[] {
  return [0, 1].map((part) =>
    JSON.stringify(keys.map((key) => String(soughtValue(key[part] ?? "")).toWellFormed())),
  );
}

/**
 * Accounts that are asked for in the same turn of the event loop travel in one statement: the server and the driver have
 * the work of one. `sql` takes `soughtKeys` and gives a row for each key: its place, from 1, and the value.
 */
export function createAccountBatch(shared: SharedSession, sql: string): AccountBatch {
  let waiting: Waiting[] = [];

  function ask(): void {
    const asked = waiting;
    waiting = [];
    for (let at = 0; at < asked.length; at += keysMax) void answer(asked.slice(at, at + keysMax));
  }

  async function answer(asked: readonly Waiting[]): Promise<void> {
    try {
      const rows = await shared.rows(sql, soughtKeys(asked.map(({ key }) => key)));
      const values = new Map(rows.map(([place, value]) => [Number(place), value]));
      for (const [at, { resolve }] of asked.entries()) resolve(values.get(at + 1) ?? undefined);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return {
    find: (key) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(ask);
        waiting.push({ key, resolve, reject });
      }),
  };
}
