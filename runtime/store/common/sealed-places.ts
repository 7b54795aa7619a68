import { oncePer } from "../../contract/once-per.ts";
import { keyIdOfSealed, type Sealer } from "../ports/index.ts";
import { recordTables } from "../tables/all.ts";
import type { Schema } from "../tables/schema.ts";
import { mapPart } from "./sealing.ts";
import type { SealedPlace } from "./verify/books.ts";

export type { SealedPlace };

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
