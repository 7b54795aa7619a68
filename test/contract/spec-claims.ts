import type { FieldClaim, FieldClaims, FieldKind } from "./field-claim.ts";
import { formsOf, type SpecField, type SpecFiles, type SpecObject } from "./spec-files.ts";

/** The spec's statements about the fields of records, payloads and results, under the document's places. */
export function specClaims(spec: SpecFiles): FieldClaims {
  const claims: FieldClaims = new Map();
  for (const { section, name } of recordTypes(spec)) addObject(name, section, spec, claims);
  for (const method of Object.values(spec.methods)) {
    const section = method.section ?? "";
    const forms = formsOf(method);
    for (const form of forms) {
      addObject(form, `${form.section} payload`, spec, claims);
      addObject(method.result, `${form.section} result`, spec, claims);
    }
    if (forms.length > 0) continue;
    addObject(method.payload, `${section} payload`, spec, claims);
    addObject(method.result, `${section} result`, spec, claims);
  }
  return claims;
}

/** The records of section 2: object types that no other type uses; one a section, or the claims differ. */
function recordTypes(spec: SpecFiles): readonly { readonly section: string; readonly name: string }[] {
  const used = new Set(Object.values(spec.types).flatMap((type) => namesIn(type.fields)));
  return Object.entries(spec.types).flatMap(([name, { section = "", fields }]) =>
    section.startsWith("2.") && fields.length > 0 && !used.has(name) ? [{ section, name }] : [],
  );
}

/** Types that records, payloads and results reach. */
export function documentedTypes(spec: SpecFiles): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name) || spec.types[name] === undefined) return;
    reached.add(name);
    namesIn(spec.types[name].fields).forEach(visit);
  };
  for (const { name } of recordTypes(spec)) visit(name);
  for (const method of Object.values(spec.methods)) {
    for (const part of [method.payload, method.result, ...formsOf(method)]) {
      if (typeof part === "string") visit(part);
      else namesIn(part.fields).forEach(visit);
    }
  }
  return reached;
}

function namesIn(fields: readonly SpecField[]): readonly string[] {
  return fields.flatMap((field) => [field.type.replace(/^array of /, ""), ...namesIn(field.fields)]);
}

type ObjectOrName = string | Pick<SpecObject, "fields">;

function addObject(part: ObjectOrName, place: string, spec: SpecFiles, claims: FieldClaims): void {
  const fields = typeof part === "string" ? spec.types[part]?.fields : part.fields;
  addFields(fields ?? [], `${place} `, spec, claims);
}

function addFields(fields: readonly SpecField[], prefix: string, spec: SpecFiles, claims: FieldClaims): void {
  for (const field of fields) {
    const path = `${prefix}${field.name}`;
    const item = spec.types[field.type.replace(/^array of /, "")];
    claims.set(path, claimOf(field, item?.enum));
    addFields(field.fields.length > 0 ? field.fields : (item?.fields ?? []), `${path}.`, spec, claims);
  }
}

function claimOf(field: SpecField, values: readonly { readonly value: string }[] | undefined): FieldClaim {
  return {
    kind: kindOf(field.type, values !== undefined),
    required: !field.optional && field.requiredWhen === undefined,
    ...(field.requiredWhen && {
      requiredWhen: `${field.requiredWhen.field} is ${field.requiredWhen.is.join()}`,
    }),
    ...(field.const !== undefined && { constant: String(field.const) }),
    format: field.type,
    ...(values && { values: values.map((each) => each.value) }),
    spellings: field.spellings,
    ...(field.alsoSentAs !== undefined && { alsoSentAs: field.alsoSentAs }),
  };
}

function kindOf(type: string, isEnum: boolean): FieldKind {
  if (type.startsWith("array of ")) return "array";
  if (isEnum) return "enum";
  switch (type) {
    case "number":
    case "integer":
    case "money":
      return "number";
    case "boolean":
      return "boolean";
    case "string":
    case "timestamp":
    case "offset-timestamp":
    case "date":
    case "year-month":
    case "pem":
    case "base64":
    case "url":
      return "string";
    default:
      return "object";
  }
}
