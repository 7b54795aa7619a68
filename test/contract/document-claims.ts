import { codesIn, firstSentence, type Section } from "./document.ts";
import type { FieldClaim, FieldClaims } from "./field-claim.ts";
import { claimOf, fieldsIn, type ProseField } from "./prose.ts";

/** The document's statements about the fields of its records (2.1 to 2.7), payloads and results (4.1 to 4.16). */
export function documentClaims(sections: readonly Section[]): FieldClaims {
  const claims: FieldClaims = new Map();
  for (const section of sections) {
    if (section.number.startsWith("2.")) addRecord(section, claims);
  }
  for (const section of sections) {
    if (section.number.startsWith("4.")) addOperation(section, claims);
  }
  for (const text of sections.flatMap((section) => section.paragraphs)) {
    const also = /^The list result also carries `result\.(\w+)` \((\w+)\)/.exec(text);
    if (also !== null) claims.set(`4.12 result ${also[1]}`, claimOf([also[2] ?? ""]));
  }
  return claims;
}

function addRecord(section: Section, claims: FieldClaims): void {
  for (const table of section.tables) addRows(table.rows, section.number, claims);
  const listed = section.paragraphs
    .flatMap((text) => /(?:Fields returned by `[^`]+`:|record has) (.*)$/.exec(text)?.[1] ?? [])
    .map(firstSentence);
  for (const text of listed) addFields(fieldsIn(text), section.number, claims);
}

function addOperation(section: Section, claims: FieldClaims): void {
  const payload = `${section.number} payload`;
  const result = `${section.number} result`;
  for (const table of section.tables) addRows(table.rows, payload, claims);
  for (const text of section.paragraphs) {
    const prosePayload = /\bPayload: (.*)$/.exec(text)?.[1];
    if (prosePayload !== undefined) addFields(fieldsIn(firstSentence(prosePayload)), payload, claims);
    const either = /^Flat body with either (.*); one of the two/.exec(text)?.[1];
    if (either !== undefined) addFields(fieldsIn(either), payload, claims, ["optional"]);
    const inside = /^`(\w+)` fields \((.*?)\): (.*)$/.exec(text);
    if (inside !== null) {
      const fields = fieldsIn(firstSentence(inside[3] ?? ""));
      addFields(fields, `${payload} ${inside[1]}`, claims, [
        (inside[2] ?? "").replace(/ unless stated$/, ""),
      ]);
    }
    const proseResult = /\b(?:Result|Response 200): (.*)$/.exec(text)?.[1];
    if (proseResult !== undefined) addResult(firstSentence(proseResult), result, claims);
    if (/\bWhen `accountType` is `CUSTODIAL`|\bThe `CUSTODIAL` rule of 4\.7 applies/.test(text))
      addCustodial(payload, claims);
  }
}

function addCustodial(place: string, claims: FieldClaims): void {
  for (const name of ["CustodialCustomerId", "custodialType"])
    claims.set(`${place} ${name}`, { spellings: [], requiredWhen: "accountType is CUSTODIAL" });
}

/** `jsonrpc` sits beside `result` and is compared per operation. */
function addResult(text: string, place: string, claims: FieldClaims): void {
  const own = text.split(/; (?:plus )?`jsonrpc`/)[0] ?? "";
  const whole = /record \((2\.\d)\)|^as (4\.\d)/.exec(own);
  if (!own.includes("`result.") && whole !== null) {
    copyClaims(whole[1] ?? `${whole[2]} result`, place, claims);
    return;
  }
  const fields = fieldsIn(own);
  addFields(fields, place, claims);
  for (const field of fields) {
    const record = field.remarks.flatMap((remark) => /(?:^|, )(2\.\d)$/.exec(remark)?.[1] ?? [])[0];
    if (record === undefined) continue;
    const path = `${place} ${field.name}`;
    claims.set(path, { kind: "object", ...claimOf(field.remarks) });
    copyClaims(record, path, claims);
  }
}

function copyClaims(from: string, to: string, claims: FieldClaims): void {
  for (const [path, claim] of claims) {
    if (!path.startsWith(`${from} `)) continue;
    const name = path.slice(from.length + 1);
    claims.set(/ (?:payload|result)$/.test(to) ? `${to} ${name}` : `${to}.${name}`, claim);
  }
}

/** A row: field, type, [required], meaning. */
function addRows(rows: readonly (readonly string[])[], place: string, claims: FieldClaims): void {
  for (const [field = "", type = "", ...rest] of rows) {
    const requirement = /^(yes|no|conditional)\b/.exec(rest[0] ?? "")?.[1];
    const meaning = (requirement === undefined ? rest[0] : rest[1]) ?? "";
    const note = /\(.*\)/.exec(field)?.[0] ?? "";
    for (const code of codesIn(field.replace(note, ""))) {
      if (code === "jsonrpc") continue;
      const path = code.replaceAll("[]", "");
      const claim = claimOf(remarksOf(type, meaning, note));
      const required = requirement === undefined ? {} : { required: isRequired(requirement, code) };
      claims.set(`${place} ${path}`, { ...claim, ...required });
      addFields(nestedFields(type, meaning), `${place} ${path}`, claims, defaultsOf(type, meaning));
    }
  }
}

/** A part of an item is required in every item that is there at all. */
function isRequired(requirement: string, code: string): boolean {
  return requirement === "yes" || (requirement === "conditional" && code.includes("[]."));
}

function remarksOf(type: string, meaning: string, note: string): readonly string[] {
  if (/^(?:object|array$)/.test(type)) return [type.split(":")[0] ?? ""];
  const isValueList = type === "enum" && meaning.startsWith("`");
  return [type, isValueList ? `values ${meaning}` : meaning, note];
}

function nestedFields(type: string, meaning: string): readonly ProseField[] {
  if (type.startsWith("object: ")) return fieldsIn(type);
  return type === "object" || type === "array" ? fieldsIn(firstSentence(meaning)) : [];
}

function defaultsOf(type: string, meaning: string): readonly string[] {
  return type.endsWith("both optional") || meaning.includes("may be an empty object") ? ["optional"] : [];
}

function addFields(
  fields: readonly ProseField[],
  place: string,
  claims: FieldClaims,
  defaults: readonly string[] = [],
): void {
  const separator = / (?:payload|result)$|^2\.\d$/.test(place) ? " " : ".";
  for (const field of fields) {
    const path = `${place}${separator}${field.name}`;
    const claim: FieldClaim = claimOf([...field.remarks, ...defaults]);
    claims.set(path, field.children.length > 0 ? { ...claim, ...kindWithParts(claim) } : claim);
    addFields(field.children, path, claims, defaults);
  }
}

/** Remarks such as "strings" at the end of a list are on the parts, not on the whole. */
function kindWithParts(claim: FieldClaim): Pick<FieldClaim, "kind"> {
  return { kind: claim.kind === "array" ? "array" : "object" };
}
