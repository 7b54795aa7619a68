export type FieldKind = "string" | "number" | "boolean" | "enum" | "object" | "array";

/** The statements about one field; absent ones are left out. A field without kind is a string. */
export interface FieldClaim {
  readonly kind?: FieldKind;
  readonly required?: boolean;
  readonly requiredWhen?: string;
  readonly constant?: string;
  readonly format?: string;
  readonly values?: readonly string[];
  readonly spellings: readonly string[];
  readonly alsoSentAs?: string;
}

/** By place and path, such as `2.1 parent.ID` or `4.12 payload PageSize`. The items of an array share its path. */
export type FieldClaims = Map<string, FieldClaim>;

/** What the spec gets wrong about the document, in words. */
export function differences(document: FieldClaims, spec: FieldClaims): readonly string[] {
  const problems: string[] = [];
  for (const [path, claim] of document) {
    const answer = spec.get(path);
    if (answer === undefined) problems.push(`${path}: the document has it, the spec lacks it`);
    else problems.push(...contradictions(claim, answer).map((what) => `${path}: ${what}`));
  }
  for (const path of spec.keys()) {
    if (!document.has(path)) problems.push(`${path}: the spec has it, the document lacks it`);
  }
  return problems;
}

function contradictions(document: FieldClaim, spec: FieldClaim): readonly string[] {
  const problems: string[] = [];
  const expectSame = (what: string, said: unknown, answer: unknown): void => {
    if (JSON.stringify(said) === JSON.stringify(answer)) return;
    problems.push(
      `${what} is ${JSON.stringify(said)} in the document, ${JSON.stringify(answer)} in the spec`,
    );
  };
  const kind = document.kind ?? "string";
  if (!isAnswered(kind, spec.kind)) expectSame("type", kind, spec.kind);
  if (document.required !== undefined) expectSame("required", document.required, spec.required);
  if (document.format !== undefined) expectSame("format", document.format, spec.format);
  if (document.values !== undefined) expectSame("values", document.values, spec.values);
  expectSame("required when", document.requiredWhen, spec.requiredWhen);
  expectSame("constant", document.constant, spec.constant);
  expectSame("spellings", document.spellings, spec.spellings);
  expectSame("also sent as", document.alsoSentAs, spec.alsoSentAs);
  return problems;
}

/** The document often says "string" of a field whose values it lists elsewhere. */
function isAnswered(document: FieldKind, spec: FieldKind | undefined): boolean {
  return document === spec || (document === "string" && spec === "enum");
}
