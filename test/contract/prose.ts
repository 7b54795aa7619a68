import { codesIn } from "./document.ts";
import type { FieldClaim, FieldKind } from "./field-claim.ts";

/** A field that the document names in a sentence, with the remarks made on it. */
export interface ProseField {
  readonly name: string;
  readonly remarks: readonly string[];
  readonly children: readonly ProseField[];
}

interface Draft extends ProseField {
  readonly remarks: string[];
  readonly children: Draft[];
}

/**
 * Reads lists such as "`city`, `zip` (strings); `Party` object with `KycId`". A remark in parentheses belongs to the
 * field before it, in the plural to all fields since the last semicolon. A list in parentheses, or after "object
 * with", lists the fields of the field before it.
 */
export function fieldsIn(text: string): readonly ProseField[] {
  return draftsIn(text.replace(/` enum ((?:`[A-Z]+`(?: or |, )?)+)/g, "` (enum $1)"));
}

function draftsIn(text: string): Draft[] {
  const fields: Draft[] = [];
  let segment: Draft[] = [];
  let parent: Draft | undefined;
  for (const [token, name, remark] of text.matchAll(/`([^`]*)`|\(([^()]*)\)|[^`()]+/g)) {
    const last = segment.at(-1);
    if (name !== undefined) {
      const field: Draft = { name: name.replace(/^result\./, ""), remarks: [], children: [] };
      (parent?.children ?? fields).push(field);
      segment.push(field);
    } else if (remark !== undefined) {
      if (/^(?:`|object: |array of objects with )/.test(remark)) last?.children.push(...draftsIn(remark));
      const isPlural = /^(?:all |optional |required )*strings\b/.test(remark);
      for (const field of isPlural ? segment : last ? [last] : []) field.remarks.push(remark);
    } else {
      last?.remarks.push(token.split(/[;,]/)[0]?.trim() ?? "");
      if (/\bobject with\s*$/.test(token)) parent = last;
      if (token.includes(";")) [segment, parent] = [[], undefined];
    }
  }
  return fields;
}

const kindPattern =
  /^(?:is an? )?(?:all )?(?:optional |required )?(string|number|boolean|enum|object|array)s?\b/;

/** What the remarks on a field say; the first remark on a matter counts. */
export function claimOf(remarks: readonly string[]): FieldClaim {
  const first = (pattern: RegExp): string | undefined =>
    remarks.flatMap((remark) => pattern.exec(remark)?.[1] ?? [])[0];
  const all = remarks.join("; ");
  const requirement = first(/\b(required|optional|present on some items only)\b/i);
  const values = first(/\b(?:enum|values|any of) ((?:`[^`]+`(?:, | or | and )?)+)/i);
  const format = formatIn(all);
  const kind = kindOf(first(kindPattern)) ?? (/\bamount$/.test(all) ? "number" : undefined);
  const constant = first(/\b(?:constant|success value) `([^`]+)`/i);
  const alsoSentAs = first(/(?:capitalizes it as|example responses spell it) `([^`]+)`/);
  return {
    ...(kind && { kind }),
    ...(requirement !== undefined && { required: requirement === "required" }),
    ...(constant !== undefined && { constant }),
    ...(format !== undefined && { format }),
    ...(values !== undefined && { values: codesIn(values) }),
    spellings: [
      ...all.matchAll(/example (?:request )?(?:writes|spells)(?: it| the key)?(?: as)? `([^`]+)`/g),
    ].map((match) => match[1] ?? ""),
    ...(alsoSentAs !== undefined && { alsoSentAs }),
  };
}

function kindOf(word: string | undefined): FieldKind | undefined {
  switch (word) {
    case "string":
    case "number":
    case "boolean":
    case "enum":
    case "object":
    case "array":
      return word;
    default:
      return undefined;
  }
}

function formatIn(text: string): string | undefined {
  if (text.includes("`YYYYMMDD`")) return "date";
  if (text.includes("`YYYY-MM`")) return "year-month";
  if (text.includes("PEM text")) return "pem";
  if (text.includes("ISO 8601")) return text.includes("UTC offset") ? "offset-timestamp" : "timestamp";
  return undefined;
}
