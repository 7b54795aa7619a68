/** Variables of the environment that hold what a call proves who it comes from with. */
export const credentialVariables = {
  LEDGER_RPC_TOKEN: "a bearer token or JWT, sent as `Authorization: Bearer …`",
  LEDGER_RPC_BASIC: "user:password, sent as `Authorization: Basic …`",
  LEDGER_RPC_API_KEY: "an API key, for the header of the spec, or X-Api-Key",
  LEDGER_RPC_HEADERS: "further headers, `Name: value`, one a line",
} as const;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** The variables that were used. */
  readonly from: readonly string[];
}

/** The headers that the environment asks for; a string that says what is wrong with it. */
export function credentialsOf(environment: Environment, apiKeyHeader: string): Credentials | string {
  const token = textOf(environment, "LEDGER_RPC_TOKEN");
  const basic = textOf(environment, "LEDGER_RPC_BASIC");
  const apiKey = textOf(environment, "LEDGER_RPC_API_KEY");
  const others = textOf(environment, "LEDGER_RPC_HEADERS");
  if (token !== undefined && basic !== undefined)
    return "LEDGER_RPC_TOKEN and LEDGER_RPC_BASIC are both set: a call has one Authorization header; unset one of them";
  if (basic !== undefined && !basic.includes(":"))
    return "LEDGER_RPC_BASIC has no colon: it is user:password";
  const headers: Record<string, string> = {};
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (basic !== undefined) headers["authorization"] = `Basic ${Buffer.from(basic).toString("base64")}`;
  if (apiKey !== undefined) headers[apiKeyHeader.toLowerCase()] = apiKey;
  for (const line of others?.split("\n").filter((each) => each.trim() !== "") ?? []) {
    const [, name = "", value = ""] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)\s*$/.exec(line) ?? [];
    if (name === "") return "LEDGER_RPC_HEADERS has a line that is no header: write `Name: value`";
    headers[name.toLowerCase()] = value;
  }
  const bad = Object.entries(headers).find(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  if (bad !== undefined)
    return `the value for the header ${bad[0]} holds a character that headers cannot carry`;
  return { headers, from: Object.keys(credentialVariables).filter((name) => isSet(environment[name])) };
}

function textOf(environment: Environment, name: keyof typeof credentialVariables): string | undefined {
  const value = environment[name];
  return isSet(value) ? value : undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
