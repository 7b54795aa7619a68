import { LRUCache } from "lru-cache";
import { keyIdOfSealed, type Sealer } from "../ports/index.ts";
import type { ColumnShape, ColumnValue, SealedPart, TablePart } from "../tables/index.ts";
import { oncePer } from "../../contract/values.ts";
import { recordTables, type Schema } from "../tables/schema.ts";
import type { SealedPlace } from "./verify/books.ts";
import type { SqlDialect } from "../sql/dialect.ts";

/** Seals and opens the values of columns that are sealed at rest. */
export interface Sealing {
  /** Encoded values, sealed where their columns are. */
  sealed(columns: readonly ColumnShape[], values: readonly ColumnValue[]): readonly ColumnValue[];
  /** The value of such a column. Throws where there is no key. */
  opened(part: SealedPart, value: ColumnValue): ColumnValue;
}

/**
 * Recently opened texts that stay in memory. Opening one costs 4 µs, and a record that many others name is read with
 * each of them.
 */
const openedMax = 256;

/** Without a sealer, as in tests of other things, values are kept as they are. */
export function createSealing(sealer: Sealer | undefined): Sealing {
  const opened = new LRUCache<string, string>({ max: openedMax });
  const isAnySealed = oncePer((columns: readonly ColumnShape[]) =>
    columns.some(({ sealed }) => sealed !== undefined),
  );

  function openedText(text: string): string {
    if (keyIdOfSealed(text) === undefined) return text;
    if (sealer === undefined) throw new Error("a sealed record was read without the seal key");
    const known = opened.get(text);
    if (known !== undefined) return known;
    const fresh = sealer.open(text);
    opened.set(text, fresh);
    return fresh;
  }

  /** Keeps the text too: a record just written is likely to be read next. */
  function sealedText(text: string, { seal }: Sealer): string {
    const fresh = seal(text);
    opened.set(fresh, text);
    return fresh;
  }

  return {
    sealed: (columns, values) => {
      if (sealer === undefined || !isAnySealed(columns)) return values;
      return values.map((value, index) => {
        const part = columns[index]?.sealed;
        if (part === undefined || typeof value !== "string") return value;
        return mapPart(part, value, (text) => sealedText(text, sealer));
      });
    },
    opened: (part, value) => (typeof value === "string" ? mapPart(part, value, openedText) : value),
  };
}

/** The text with the part of it that is sealed put through `map`. */
export function mapPart(part: SealedPart, text: string, map: (text: string) => string): string {
  return part === "whole" ? map(text) : part(text, map);
}

/** Called now and then with the number of rows looked at, and how many there are. */
export type SealProgress = (rows: number, of: number) => void;

/** How a rotation ended: the key that seals now, and how many texts were sealed anew by this run. */
export interface Rotation {
  readonly keyId: string;
  readonly formerKeyId?: string;
  readonly texts: number;
}

/** The places that tables declare, whether the store seals them or who writes to them. */
export const sealedPlaces: (schema: Schema) => readonly SealedPlace[] = oncePer((schema) =>
  recordTables(schema).flatMap((table) =>
    table.columns.flatMap(({ name: column, sealed, holdsSealed: part = sealed }) =>
      part === undefined ? [] : [{ table, column, part }],
    ),
  ),
);

/** The text of a place, sealed with the sealer's key. */
export function sealedAnew({ part }: SealedPlace, text: string, sealer: Sealer): string {
  return mapPart(part, text, (sealed) => textAnew(sealed, sealer));
}

function textAnew(text: string, sealer: Sealer): string {
  const keyId = keyIdOfSealed(text);
  if (keyId === sealer.keyId) return text;
  return sealer.seal(keyId === undefined ? text : sealer.open(text));
}

/** A record from a row in the order of its columns, its sealed fields opened. */
export function decodeRow<R, SqlValue>(
  part: TablePart<R>,
  row: readonly SqlValue[],
  { fromSql }: Pick<SqlDialect<SqlValue>, "fromSql">,
  { opened }: Sealing,
): R {
  const values = part.columns.map((column, index) => {
    const found = row[index];
    const value = found === undefined ? null : fromSql(column.type, found);
    return column.sealed === undefined ? value : opened(column.sealed, value);
  });
  return part.decode(values);
}
