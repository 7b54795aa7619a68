import { expect } from "vitest";
import { documentClaims } from "../contract/document-claims.ts";
import { sectionsOf } from "../contract/document.ts";
import { publishedDocument } from "../contract/published-document.ts";
import type { FieldClaim } from "../contract/field-claim.ts";
import type { Envelope } from "./contract-client.ts";

const claims = documentClaims(sectionsOf(publishedDocument()));

/** The fields of the document's table that the answer lacks, or has with another type. */
export function lacking(section: string, answer: Envelope | undefined): readonly string[] {
  const place = `${section} result `;
  const fields = [...claims].filter(([path]) => path.startsWith(place));
  expect(fields.length, `${section} is found in the document`).toBeGreaterThan(0);
  return fields
    .flatMap(([path, claim]) => spellingsOf(path.slice(place.length), claim))
    .filter(([path, claim]) => !isOfKind(claim, valueAt(answer, path.split("."))))
    .map(([path]) => `${section} ${path}`);
}

/** Both names of a field that is sent under two (D-12). */
function spellingsOf(path: string, claim: FieldClaim): readonly (readonly [string, FieldClaim])[] {
  const { alsoSentAs } = claim;
  return [path, ...(alsoSentAs === undefined ? [] : [path.replace(/[^.]+$/, alsoSentAs)])].map((name) => [
    name,
    claim,
  ]);
}

/** The first item of an array stands for all. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const object = Array.isArray(value) ? value[0] : value;
  if (typeof object !== "object" || object === null) return undefined;
  return valueAt(new Map<string, unknown>(Object.entries(object)).get(name), rest);
}

function isOfKind({ kind = "string", constant, values }: FieldClaim, value: unknown): boolean {
  if (kind === "array") return Array.isArray(value);
  if (constant !== undefined && value !== constant) return false;
  if (values !== undefined && !values.includes(String(value))) return false;
  return typeof value === (kind === "enum" ? "string" : kind);
}
