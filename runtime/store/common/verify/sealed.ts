import { keyIdOfSealed, type Sealer } from "../../ports/index.ts";
import type { Schema } from "../../tables/schema.ts";
import { sealedPlaces, type SealedPlace } from "../sealed-places.ts";
import { mapPart } from "../sealing.ts";
import type { Books } from "./books.ts";
import type { Findings } from "./findings.ts";

/** Opens every text that is sealed at rest: a damaged one is lost, and nothing else says so. Gives how many there are. */
export function verifySealed(
  schema: Schema,
  books: Books,
  sealer: Sealer,
  findings: Findings,
  tell: () => void,
): number {
  let texts = 0;
  for (const place of sealedPlaces(schema)) {
    const table = place.table.name;
    findings.during(table, () => {
      for (const [record, text] of books.sealedTexts(place)) {
        const fault = faultIn(place, text, sealer, () => (texts += 1));
        if (fault !== undefined)
          findings.add({ kind: "sealed", table, record, what: `${place.column} ${fault}` });
        tell();
      }
    });
  }
  return texts;
}

function faultIn(place: SealedPlace, text: string, sealer: Sealer, found: () => void): string | undefined {
  let fault: string | undefined;
  try {
    mapPart(place.part, text, (sealed) => {
      if (sealed !== "") {
        found();
        fault ??= faultOf(sealed, sealer);
      }
      return sealed;
    });
  } catch {
    return "is no JSON";
  }
  return fault;
}

function faultOf(sealed: string, sealer: Sealer): string | undefined {
  if (keyIdOfSealed(sealed) === undefined) return "is not sealed";
  try {
    sealer.open(sealed);
    return undefined;
  } catch {
    return `does not open with key ${sealer.keyId}`;
  }
}
