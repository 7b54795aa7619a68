import { soughtValue, type PgValue } from "../dialect.ts";
import type { SharedSession } from "./shared-session.ts";

/** The institution and the identifier of an account. */
export type AccountKey = readonly [institutionId: string, id: string];

/** Asks for many accounts by one statement. */
export interface AccountBatch {
  /** The value of an account, as JSON; `undefined` where there is no such account. */
  find(key: AccountKey): Promise<PgValue | undefined>;
}

/** Those behind them do not wait long for a statement of so many. */
const keysMax = 64;
/** While the server is at one, the next is on its way. */
const statementsMax = 2;

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
 * Accounts that are asked for in the same turn of the event loop, or while statements are under way, travel in one
 * statement: the server and the driver have the work of one, and the more callers there are, the fewer statements a call.
 * `sql` takes `soughtKeys` and gives a row for each key: its place, from 1, and the value.
 */
export function createAccountBatch(shared: SharedSession, sql: string): AccountBatch {
  const waiting: Waiting[] = [];
  let isDue = false;
  let underWay = 0;

  function ask(): void {
    isDue = false;
    while (waiting.length > 0 && underWay < statementsMax) void answer(waiting.splice(0, keysMax));
  }

  async function answer(asked: readonly Waiting[]): Promise<void> {
    underWay += 1;
    try {
      const rows = await shared.rows(sql, soughtKeys(asked.map(({ key }) => key)));
      const values = new Map(rows.map(([place, value]) => [Number(place), value]));
      for (const [at, { resolve }] of asked.entries()) resolve(values.get(at + 1) ?? undefined);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    } finally {
      underWay -= 1;
      ask();
    }
  }

  return {
    find: (key) =>
      new Promise((resolve, reject) => {
        waiting.push({ key, resolve, reject });
        if (isDue) return;
        isDue = true;
        setImmediate(ask);
      }),
  };
}
