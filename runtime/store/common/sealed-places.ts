import { keyIdOfSealed, type Sealer } from "../ports/index.ts";
import { recordTables } from "../tables/all.ts";
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

/** The places that the tables declare, and those that handlers and delivery seal themselves. */
export const sealedPlaces: readonly SealedPlace[] = [
  ...recordTables.flatMap(({ name, columns }) =>
    columns.flatMap((column) =>
      column.sealed === undefined ? [] : { table: name, column: column.name, part: column.sealed },
    ),
  ),
  { table: "portal_logins", column: "totp_secret_sealed", part: "whole" },
  { table: "subscriptions", column: "secret_sealed", part: "whole" },
  { table: "subscriptions", column: "former_secret_sealed", part: "whole" },
  { table: "outbox_mails", column: "message_sealed", part: "whole" },
  { table: "service_keys", column: "private_key_sealed", part: "whole" },
  // A kept answer is the JSON of a sealed text, or of one beside the revision that it was given in.
  { table: "answers", column: "result_json", part: "answer" },
];

/** The columns that tell the rows of a table apart. */
export function keyOf(table: string): readonly string[] {
  const found = recordTables.find(({ name }) => name === table);
  if (found === undefined) throw new Error(`there is no table ${table}`);
  return found.key.map(({ name }) => name);
}

/** The text of a place, sealed with the sealer's key. */
export function sealedAnew(place: SealedPlace, text: string, sealer: Sealer): string {
  return mapSealed(place, text, (sealed) => textAnew(sealed, sealer));
}

/** The text of a place with each text in it that is sealed, or is to be, put through `map`. */
export function mapSealed({ part }: SealedPlace, text: string, map: (sealed: string) => string): string {
  return part === "answer" ? mapAnswer(text, map) : mapPart(part, text, map);
}

function textAnew(text: string, sealer: Sealer): string {
  const keyId = keyIdOfSealed(text);
  if (keyId === sealer.keyId) return text;
  return sealer.seal(keyId === undefined ? text : sealer.open(text));
}

function mapAnswer(text: string, map: (sealed: string) => string): string {
  const sealed = sealedOfAnswer(text);
  if (sealed === undefined || keyIdOfSealed(sealed) === undefined) return text;
  const mapped = map(sealed);
  // A sealed text has no character that JSON escapes.
  return mapped === sealed ? text : text.replace(sealed, mapped);
}

export function sealedOfAnswer(text: string): string | undefined {
  const kept: unknown = JSON.parse(text);
  if (typeof kept === "string") return kept;
  if (typeof kept !== "object" || kept === null || !("sealed" in kept)) return undefined;
  return typeof kept.sealed === "string" ? kept.sealed : undefined;
}
