/**
 * `npm run audit:deps`: asks npm's registry for known faults of every package that is shipped, and of those that they need.
 * Ends with 1 where there are any, and with 2 where the registry gave no answer that can be trusted.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../runtime/contract/index.ts";

const root = join(import.meta.dirname, "..");
const silenceMs = 60_000;

/** Versions by package name. */
export type Packages = Readonly<Record<string, readonly string[]>>;

export type Verdict =
  | { readonly kind: "clean"; readonly asked: number }
  | { readonly kind: "faults"; readonly lines: readonly string[] }
  /** Nothing is known: the registry could not be reached, refused, or does not know a fault that everybody knows. */
  | { readonly kind: "no-answer"; readonly why: string };

/** A version with a fault known since 2020 (GHSA-vh95-rmgr-6w4m): an answer without it comes from no list of faults. */
const known: Packages = { minimist: ["0.0.8"] };

const collator = new Intl.Collator("en", { numeric: true });

/** Asks a registry for the known faults of packages. Never rejects. */
export async function auditPackages(
  registry: string,
  packages: Packages,
  signal = AbortSignal.timeout(silenceMs),
): Promise<Verdict> {
  try {
    const asked = { ...packages, ...withKnown(packages) };
    const response = await fetch(`${registry.replace(/\/+$/, "")}/-/npm/v1/security/advisories/bulk`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(asked),
      signal,
    });
    if (!response.ok) return { kind: "no-answer", why: `it answered HTTP ${response.status}` };
    return verdictOf(await response.json(), packages);
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : "";
    return { kind: "no-answer", why: `${messageOf(error)}${cause}` };
  }
}

function withKnown(packages: Packages): Packages {
  return Object.fromEntries(
    Object.entries(known).map(([name, versions]) => [name, [...(packages[name] ?? []), ...versions]]),
  );
}

function verdictOf(answer: unknown, packages: Packages): Verdict {
  if (!isObject(answer)) return { kind: "no-answer", why: "its answer is not a list of faults" };
  const isTrusted = Object.keys(known).every(
    (name) => Array.isArray(answer[name]) && answer[name].length > 0,
  );
  if (!isTrusted)
    return { kind: "no-answer", why: "its answer lacks a fault that is known: it has no list of faults" };
  const lines = Object.entries(packages).flatMap(([name, versions]) => {
    const faults: unknown = answer[name];
    return Array.isArray(faults) ? faults.flatMap((fault) => lineOf(name, versions, fault)) : [];
  });
  return lines.length > 0
    ? { kind: "faults", lines }
    : { kind: "clean", asked: Object.keys(packages).length };
}

function lineOf(name: string, versions: readonly string[], fault: unknown): readonly string[] {
  const { severity, title, vulnerable_versions: range, url } = isObject(fault) ? fault : {};
  const affected = versions.filter((version) => isInRange(version, String(range ?? "*")));
  if (affected.length === 0) return [];
  return [
    `${name} ${affected.join(", ")}: ${String(severity)}: ${String(title)} (${String(range)}) ${String(url)}`,
  ];
}

/** Whether a version is in a range such as `>=1.0.0 <1.2.6 || <0.2.1`: in one that cannot be read, it is. */
function isInRange(version: string, range: string): boolean {
  return range.split("||").some((part) =>
    part
      .replaceAll(/([<>=])\s+/g, "$1")
      .split(/[\s,]+/)
      .every((bound) => {
        const [, relation = "=", limit] = /^([<>]?=?)(\d+\.\d+\.\d+.*)$/.exec(bound) ?? [];
        if (limit === undefined) return true;
        const order = orderOf(version, limit);
        if (relation.startsWith("<")) return order < 0 || (order === 0 && relation === "<=");
        if (relation.startsWith(">")) return order > 0 || (order === 0 && relation === ">=");
        return order === 0;
      }),
  );
}

/** Below 0 where the first version is before the second. A version with a suffix such as `-beta` is before the one without. */
function orderOf(one: string, other: string): number {
  const [[ofOne = "", early], [ofOther = "", otherEarly]] = [partsOf(one), partsOf(other)];
  const order = collator.compare(ofOne, ofOther);
  if (order !== 0 || early === otherEarly) return order;
  if (early === undefined || otherEarly === undefined) return early === undefined ? 1 : -1;
  return collator.compare(early, otherEarly);
}

function partsOf(version: string): readonly string[] {
  return version.replace(/\+.*/, "").split(/-(.*)/, 2);
}

/** Packages of the lock file that a shipped package needs, at any depth. */
export function shippedPackages(folder: string): Packages {
  const manifest = jsonIn(join(folder, "package.json"));
  const locked = objectAt(jsonIn(join(folder, "package-lock.json")), "packages");
  const sources = globSync("{runtime,generator,tools,conformance,templates,web}/**/*.{ts,json,hbs,mjs}", {
    cwd: folder,
  })
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
  const ofDevelopment = Object.keys(objectAt(manifest, "devDependencies"));
  const waiting: [from: string, name: string][] = [
    ...needs(manifest),
    ...ofDevelopment.filter((name) => sources.includes(`"${name}"`) || sources.includes(`"${name}/`)),
  ].map((name) => ["", name]);
  const found = new Map<string, Set<string>>();
  const seen = new Set<string>();
  for (const [from, name] of waiting) {
    const path = placeOf(locked, from, name);
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    const entry = objectAt(locked, path);
    const versions = found.get(name) ?? new Set();
    found.set(name, versions.add(String(entry["version"])));
    for (const needed of needs(entry)) waiting.push([path, needed]);
  }
  return Object.fromEntries([...found].map(([name, versions]) => [name, [...versions]]));
}

function needs(manifest: Readonly<Record<string, unknown>>): readonly string[] {
  return ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((kind) =>
    Object.keys(objectAt(manifest, kind)),
  );
}

/** Where Node finds a package, as the lock file has it. Undefined: an optional one that is not locked. */
function placeOf(locked: object, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("node_modules/") - 1, 0))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (path in locked) return path;
    if (folder === "") return undefined;
  }
}

function jsonIn(path: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  return isObject(value) ? value : {};
}

function objectAt(value: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const member = value[name];
  return isObject(member) ? member : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function configuredRegistry(): string {
  const { npm_config_registry: named } = process.env;
  return named ?? spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();
}

if (import.meta.main) {
  const verdict = await auditPackages(configuredRegistry(), shippedPackages(root));
  switch (verdict.kind) {
    case "clean":
      console.log(`No known faults in ${verdict.asked} packages.`);
      break;
    case "faults":
      console.error(
        [...verdict.lines, `${verdict.lines.length} known faults in what is shipped.`].join("\n"),
      );
      process.exitCode = 1;
      break;
    case "no-answer":
      console.error(`The registry gave no answer: ${verdict.why}. Nothing is known of the packages.`);
      process.exitCode = 2;
  }
}
