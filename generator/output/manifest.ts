import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { diagnosticOf, type Result } from "../language/diagnostics/index.ts";

/**
 * The record that a run left behind for one interface. The next run uses it to tell its own files from others, and
 * its own words from edited ones. A function of the spec, the generator's version and the orphans: no clock, no
 * absolute path.
 */
export interface Manifest {
  /** Version of the generator. */
  readonly generator: string;
  readonly interface: string;
  readonly revision: string;
  /** Owned files below the output folder, by path relative to it: SHA-256 of the bytes written. */
  readonly files: Readonly<Record<string, string>>;
  /** Owned files below the handlers folder, by path relative to it: SHA-256 of the bytes written. */
  readonly registry: Readonly<Record<string, string>>;
  /** The stub of each method. */
  readonly handlers: Readonly<Record<string, HandlerEntry>>;
  /** The entries of files that no method has now, as long as the files exist; absent where there are none. */
  readonly orphans?: Readonly<Record<string, OrphanEntry>>;
}

/** The generated content of a handler file without a method. */
export interface OrphanEntry extends HandlerEntry {
  /** The method whose file it was. */
  readonly method: string;
}

/** The generated content of one handler file. */
export interface HandlerEntry {
  /** Relative to the handlers folder. */
  readonly file: string;
  /** Name of the exported function. */
  readonly export: string;
  /** Name of its type. */
  readonly type: string;
  /** SHA-256 of the doc comment above it, with `\n` line ends; absent where it has none. */
  readonly doc?: string;
  /** SHA-256 of the whole file as it is created: a file that still has it holds no person's work. */
  readonly stub: string;
}

export const manifestFile = "manifest.json";

/** The manifest's text, ready to be written. */
export function printManifest(manifest: Manifest): string {
  const { orphans = {}, ...rest } = manifest;
  const printed = {
    ...rest,
    files: sorted(manifest.files),
    registry: sorted(manifest.registry),
    handlers: sorted(manifest.handlers),
    ...omitUndefined({ orphans: Object.keys(orphans).length === 0 ? undefined : sorted(orphans) }),
  };
  return `${JSON.stringify(printed, null, 2)}\n`;
}

/** Reads a manifest back. `path` is where it lies, for the diagnostic. */
export function parseManifest(path: string, text: string): Result<Manifest> {
  const manifest = manifestOf(parsedJson(text));
  return manifest === undefined
    ? { diagnostics: [diagnosticOf("manifest-unreadable", {}, { path })] }
    : { value: manifest, diagnostics: [] };
}

function manifestOf(value: unknown): Manifest | undefined {
  if (!isRecord(value)) return undefined;
  const { generator, interface: name, revision, files, registry, handlers, orphans = {} } = value;
  if (typeof generator !== "string" || typeof name !== "string" || typeof revision !== "string")
    return undefined;
  if (!isDigests(files) || !isDigests(registry)) return undefined;
  if (!isHandlerEntries(handlers) || !isOrphanEntries(orphans)) return undefined;
  return { generator, interface: name, revision, files, registry, handlers, orphans };
}

function isHandlerEntries(value: unknown): value is Readonly<Record<string, HandlerEntry>> {
  return isRecord(value) && Object.values(value).every(isHandlerEntry);
}

function isOrphanEntries(value: unknown): value is Readonly<Record<string, OrphanEntry>> {
  return isHandlerEntries(value) && Object.values(value).every((entry) => "method" in entry);
}

function isDigests(value: unknown): value is Readonly<Record<string, string>> {
  return (
    isRecord(value) &&
    Object.entries(value).every(([path, digest]) => isPathBelow(path) && typeof digest === "string")
  );
}

function isHandlerEntry(value: unknown): value is HandlerEntry {
  if (!isRecord(value)) return false;
  const { file, export: name, type, doc, stub } = value;
  if (typeof file !== "string" || !isPathBelow(file) || typeof stub !== "string") return false;
  return (
    typeof name === "string" && typeof type === "string" && (doc === undefined || typeof doc === "string")
  );
}

/** Whether a path is one of a file below the folder it is relative to: what is listed may be deleted. */
export function isPathBelow(path: string): boolean {
  return path
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== ".." && !/[\\:\p{Cc}]/u.test(part));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sorted<V>(record: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
