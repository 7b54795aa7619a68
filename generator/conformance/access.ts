/** One caller: what its requests are made and signed with. */
export interface Identity {
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  /** P-256, PKCS #8 or SEC 1. */
  readonly privateKeyPem: string;
}

/** How a service is reached, and what it holds: the file that `--access` names. */
export interface Access extends Identity {
  readonly baseUrl?: string;
  readonly operatorUrl?: string;
  readonly operator?: Identity;
  readonly samples?: Readonly<Record<string, string>>;
}

/** Reads an access file. @throws Error that says what is missing. */
export function readAccess(text: string, path: string): Access {
  const access: unknown = parsed(text, path);
  const problems = identityProblems(access, "");
  const operator = memberOf(access, "operator");
  if (operator !== undefined) problems.push(...identityProblems(operator, "operator."));
  const samples = memberOf(access, "samples") ?? {};
  for (const [name, value] of Object.entries(samples))
    if (typeof value !== "string") problems.push(`samples.${name} is no text`);
  if (problems.length > 0) throw new Error(`${path}: ${problems.join("; ")}`);
  return JSON.parse(text);
}

const members = ["userName", "apiKey", "keyId", "privateKeyPem"] as const;

function identityProblems(value: unknown, prefix: string): string[] {
  return members
    .filter((name) => typeof memberOf(value, name) !== "string" || memberOf(value, name) === "")
    .map((name) => `${prefix}${name} is missing`);
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON`, { cause: error });
  }
}

/** A member of a JSON object; undefined of anything else. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
