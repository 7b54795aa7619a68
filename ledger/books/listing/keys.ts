import { compareCodePoints } from "../../../runtime/store/common/index.ts";
import type { Reading } from "../../../runtime/store/sql/index.ts";
import { anyTime } from "./sources.ts";

/** The place of an account, or of a transaction, in the order of lists: by creation, then id (D-31). */
export interface AccountKey {
  readonly createdAt: number;
  readonly id: string;
}

/** Precedes every place. */
export const beforeAll: AccountKey = { createdAt: anyTime.from - 1, id: "" };

export function compareKeys(left: AccountKey, right: AccountKey): number {
  return left.createdAt - right.createdAt || compareCodePoints(left.id, right.id);
}

/** Takes the keys of one page from ordered keys that come in portions. */
export interface PageTaker {
  /** How many keys are still missing, those to be skipped counted. */
  missing(): number;
  take(keys: readonly AccountKey[]): void;
  /** Skips keys that need not be looked at. */
  skip(count: number): void;
  readonly keys: readonly AccountKey[];
}

/** `offset` keys are skipped and `limit` kept. */
export function takePage(offset: number, limit: number): PageTaker {
  const keys: AccountKey[] = [];
  let toSkip = offset;
  return {
    keys,
    missing: () => toSkip + limit - keys.length,
    skip: (count) => {
      toSkip -= count;
    },
    take: (portion) => {
      const skipped = Math.min(toSkip, portion.length);
      toSkip -= skipped;
      keys.push(...portion.slice(skipped, skipped + limit - keys.length));
    },
  };
}

/** Keys in order, in portions. */
export interface KeySource<SqlValue> {
  /** The next keys, about as many as wanted; none at the end. */
  next(wanted: number): Reading<SqlValue, readonly AccountKey[]>;
}

/** A source of keys that are known already. */
export function knownKeys<SqlValue>(keys: readonly AccountKey[]): KeySource<SqlValue> {
  let at = 0;
  return {
    // oxlint-disable-next-line eslint/require-yield -- there is nothing to read
    *next(wanted) {
      const portion = keys.slice(at, at + wanted);
      at += portion.length;
      return portion;
    },
  };
}

/** A row of creation and id, as every statement for keys gives. */
export function keyOf<SqlValue>([createdAt, id]: readonly SqlValue[]): AccountKey {
  return { createdAt: Number(createdAt), id: String(id) };
}
