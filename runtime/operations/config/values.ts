import { withoutUrlSecrets } from "../../platform/url-secrets.ts";
import { checkTogether, type ConfigSources, type Mistake, type Values } from "./checks.ts";
import { retiredSettings, type Setting, type Value } from "./settings/index.ts";

/** Thrown at start with every mistake there is, so that they can be mended in one go. Never holds a secret's value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ where, message }) => `${where}: ${message}`).join("\n"));
    this.mistakes = mistakes;
  }
}

/** The values of all sources, usable or not. */
export interface InspectedValues {
  readonly values: Values;
  /** By setting path, where its value stands: a variable, or a path in the file. Absent: the default is in force. */
  readonly origins: ReadonlyMap<string, string>;
  readonly mistakes: readonly Mistake[];
  /** Faults with which the service starts, to be logged. */
  readonly warnings: readonly Mistake[];
}

/**
 * Merges defaults, file and environment (the environment wins) and checks all of it.
 * @throws ConfigError naming every mistake.
 */
export function loadValues(sources: ConfigSources): InspectedValues {
  const inspected = inspectValues(sources);
  if (inspected.mistakes.length > 0) throw new ConfigError(inspected.mistakes);
  return inspected;
}

/** The same without an exception: a value with a mistake is absent. */
export function inspectValues(sources: ConfigSources): InspectedValues {
  const { settings, env, file, variables = "LEDGER_" } = sources;
  const mistakes: Mistake[] = [];
  const given = new Map<string, { readonly raw: unknown; readonly where: string }>();
  const secretsInFile: string[] = [];
  if (file !== undefined) {
    for (const [path, raw] of leaves(file.content, "", { settings, mistakes, filePath: file.path })) {
      const setting = settings.find((each) => each.path === path || each.formerPath === path);
      given.set(setting?.path ?? path, { raw, where: `${file.path}: ${path}` });
      if (setting?.secret === true) secretsInFile.push(setting.path);
    }
  }
  for (const setting of settings) {
    const raw = env[setting.env];
    if (raw !== undefined && raw !== "") given.set(setting.path, { raw, where: setting.env });
  }
  for (const [path, raw] of Object.entries(sources.given ?? {})) given.set(path, { raw, where: path });
  reportUnknown({ settings, env, variables }, given, mistakes);

  const profile = given.get("profile")?.raw === "production" ? "production" : "sandbox";
  const values = new Map<string, Value>();
  for (const setting of settings) {
    const source = given.get(setting.path);
    const value =
      source === undefined ? setting[profile] : parse(setting, source.raw, source.where, mistakes);
    if (value !== undefined) values.set(setting.path, value);
    else if (source === undefined && profile === "production" && setting.needed) {
      mistakes.push({
        where: setting.env,
        message: `is needed under the production profile. ${setting.doc}`,
      });
    }
  }
  const origins = new Map([...given].map(([path, { where }]) => [path, where]));
  const warnings = checkTogether({ ...sources, values, origins, profile, mistakes, secretsInFile });
  return { values, origins, mistakes, warnings };
}

function parse(
  { kind, secret }: Setting,
  raw: unknown,
  where: string,
  mistakes: Mistake[],
): Value | undefined {
  const shown = secret ? "the given value" : withoutUrlSecrets(JSON.stringify(raw));
  const refuse = (expected: string): undefined => {
    mistakes.push({ where, message: `${shown} is not ${expected}` });
  };
  switch (kind.of) {
    case "text":
      return typeof raw === "string" && raw !== "" ? raw : refuse("a text");
    case "choice":
      return typeof raw === "string" && kind.choices.includes(raw)
        ? raw
        : refuse(`one of ${kind.choices.join(", ")}`);
    case "flag":
      if (raw === true || raw === "true") return true;
      if (raw === false || raw === "false") return false;
      return refuse("true or false");
    case "integer": {
      const number = typeof raw === "string" && /^[0-9]+$/.test(raw) ? Number(raw) : raw;
      const fits = typeof number === "number" && Number.isInteger(number);
      if (fits && number >= kind.minimum && number <= kind.maximum) return number;
      return refuse(`a whole number from ${kind.minimum} to ${kind.maximum}`);
    }
    case "number": {
      const number = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
      if (typeof number === "number" && number >= kind.minimum && number <= kind.maximum) return number;
      return refuse(`a number from ${kind.minimum} to ${kind.maximum}`);
    }
    case "list": {
      const items: unknown = typeof raw === "string" ? raw.split(",").map((item) => item.trim()) : raw;
      const good = Array.isArray(items) && items.every((item) => typeof item === "string" && item !== "");
      return good ? items : refuse("a list of texts (in a variable: separated by commas)");
    }
  }
}

function* leaves(
  content: unknown,
  prefix: string,
  reading: {
    readonly settings: readonly Setting[];
    readonly mistakes: Mistake[];
    readonly filePath: string;
  },
): Generator<readonly [string, unknown]> {
  if (content === null || content === undefined) return;
  const { settings, mistakes, filePath } = reading;
  if (typeof content !== "object" || Array.isArray(content)) {
    mistakes.push({ where: filePath, message: "is not a mapping of settings" });
    return;
  }
  for (const [key, value] of Object.entries(content)) {
    const path = prefix + key;
    const isGroup = settings.some(
      (setting) => isBelow(setting.path, path) || isBelow(setting.formerPath, path),
    );
    if (isGroup) yield* leaves(value, `${path}.`, reading);
    else yield [path, value];
  }
}

function isBelow(path: string | undefined, group: string): boolean {
  return path?.startsWith(`${group}.`) === true;
}

function reportUnknown(
  { settings, env, variables }: Required<Pick<ConfigSources, "settings" | "env" | "variables">>,
  given: ReadonlyMap<string, { readonly where: string }>,
  mistakes: Mistake[],
): void {
  const unknown = "is not a setting. `ledger-server settings` lists them";
  for (const [path, { where }] of given) {
    if (settings.some((setting) => setting.path === path)) continue;
    const retired = retiredSettings.find((setting) => setting.path === path);
    mistakes.push({ where, message: retired?.message ?? unknown });
  }
  for (const [name, value] of Object.entries(env)) {
    const isKnown = name === `${variables}CONFIG` || settings.some((setting) => setting.env === name);
    const retired = retiredSettings.find((setting) => setting.env === name);
    if (!name.startsWith(variables) || isKnown || (retired && !value)) continue;
    const meant = settings.find(({ path }) =>
      [name, name.slice(variables.length)].includes(asVariable(path)),
    );
    const instead = meant && `is not a setting: ${meant.env} sets ${meant.path}`;
    mistakes.push({ where: name, message: retired?.message ?? instead ?? unknown });
  }
}

/** What a reader of the path expects its variable to be: `payments.port` is set by PORT, not PAYMENTS_PORT. */
function asVariable(path: string): string {
  return path.replaceAll(/(?<=[a-z])(?=[A-Z])|\./g, "_").toUpperCase();
}
