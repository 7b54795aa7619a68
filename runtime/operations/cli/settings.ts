import { withoutUrlSecrets } from "../../platform/url-secrets.ts";
import {
  ConfigError,
  inspectConfig,
  settingsOf,
  type InspectedValues,
  type Setting,
  type Value,
} from "../config/index.ts";
import type { Application } from "../../server/index.ts";
import { wrapped } from "../log/terminal-text.ts";

export interface SettingsOptions {
  readonly json?: boolean;
  /** Leaves out settings that nobody has set. */
  readonly changed?: boolean;
}

/** Prints settings with their values in force and where those come from. @throws ConfigError after that, for mistakes. */
export function printSettings(
  application: Application,
  { json = false, changed = false }: SettingsOptions,
): void {
  const inspected = inspectConfig(application, process.env);
  const all = settingsOf(application).map((setting) => rowOf(setting, inspected));
  const rows = changed ? all.filter(({ origin }) => origin !== "default") : all;
  if (!json && rows.length === 0) console.log("Every setting has its default.");
  if (json) console.log(JSON.stringify(rows, undefined, 2));
  else
    for (const row of rows)
      console.log(textOf(row, process.stdout.isTTY ? process.stdout.columns : undefined));
  if (inspected.mistakes.length > 0) throw new ConfigError(inspected.mistakes);
}

interface Row {
  readonly path: string;
  readonly variable: string;
  readonly meaning: string;
  /** Null for a missing or wrong value, and for secrets. */
  readonly value: unknown;
  /** A variable, a path in the file, or `default`. */
  readonly origin: string;
  readonly isSet: boolean;
  readonly isSecret: boolean;
  readonly neededInProduction: boolean;
  readonly defaults: { readonly sandbox: unknown; readonly production: unknown };
}

function rowOf(setting: Setting, { values, origins }: InspectedValues): Row {
  const { path, env, doc, sandbox = null, production = null } = setting;
  const isSecret = setting.secret === true;
  return {
    path,
    variable: env,
    meaning: doc,
    value: isSecret ? null : shownSafely(values.get(path)),
    origin: origins.get(path) ?? "default",
    isSet: values.has(path),
    isSecret,
    neededInProduction: setting.needed === true,
    defaults: { sandbox, production },
  };
}

/** Addresses may hold passwords, too. */
function shownSafely(value: Value | undefined): Value | null {
  if (typeof value === "string") return withoutUrlSecrets(value);
  return Array.isArray(value) ? value.map(withoutUrlSecrets) : (value ?? null);
}

function textOf(
  { path, variable, meaning, value, origin, isSet, isSecret, ...row }: Row,
  width: number | undefined,
): string {
  const shown = isSecret && isSet ? "(hidden)" : shownValue(value);
  const inForce = origin === "default" ? shown : `${shown}, from ${origin}`;
  const lines = [meaning, `${inForce}; ${defaultsOf(row)}`].map((text) => wrapped(text, width, "    "));
  return `${path}  (${variable})\n${lines.join("\n")}\n`;
}

function defaultsOf({ defaults, neededInProduction }: Pick<Row, "defaults" | "neededInProduction">): string {
  const { sandbox, production } = defaults;
  if (neededInProduction) return `sandbox: ${shownValue(sandbox)}; needed in production`;
  if (sandbox === production) return `default: ${shownValue(sandbox)}`;
  return `sandbox: ${shownValue(sandbox)}; production: ${shownValue(production)}`;
}

function shownValue(value: unknown): string {
  return value === null ? "none" : String(value);
}
