import { LRUCache } from "lru-cache";
import { keyIdOfSealed, type Sealer } from "../ports/index.ts";
import type { ColumnShape, ColumnValue, SealedPart } from "../tables/index.ts";
import { oncePer } from "../../contract/once-per.ts";

/** Seals and opens the values of columns that are sealed at rest. */
export interface Sealing {
  /** Encoded values, sealed where their columns are. */
  sealed(columns: readonly ColumnShape[], values: readonly ColumnValue[]): readonly ColumnValue[];
  /** The value of such a column. Throws where there is no key. */
  opened(part: SealedPart, value: ColumnValue): ColumnValue;
}

/** Texts opened lately that are kept in memory: opening one costs 4 µs, and a record that many others name is read with each of them. */
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
