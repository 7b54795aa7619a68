import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, join, relative, resolve, isAbsolute } from "node:path";
import {
  importDocument,
  type Imported,
  type Json,
  type ParamsStyle,
  countsOf,
  type Counts,
  type ImportReport,
  type ReportEntry,
} from "./index.ts";
import { kebabCase } from "../../generator/model/names.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { addToConfig, type AddedSpec } from "./add-spec.ts";
import { externalReader, type ReferenceFolder, readDocumentFile } from "./read-document.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";

interface ImportCommandOptions {
  readonly params?: ParamsStyle;
  readonly ref?: readonly string[];
  readonly lossy?: true;
  readonly name?: string;
  readonly out?: string;
  readonly config?: string;
  readonly json?: true;
}

/** Bytes. A document of more than this is refused before it is parsed. */
export const documentBytesMax = 32 * 1024 * 1024;

/** `ledger-rpc import`: a document to the files of a spec, and a report. Answers the exit code. */
export function runImport(file: string, options: ImportCommandOptions, terminal: Terminal): number {
  const failWith = (message: string, code: number = exitCode.usage): number => {
    if (options.json === true) terminal.print(JSON.stringify({ ok: false, message }, null, 2));
    else terminal.note(`error: ${message}`);
    return code;
  };
  const folders = (options.ref ?? []).map((ref) => referenceFolder(ref, terminal.cwd));
  const wrong = folders.find((folder) => typeof folder === "string");
  if (wrong !== undefined) return failWith(wrong);
  const name = options.name ?? interfaceName(file);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    return failWith(
      `\`${name}\` is no name of an interface: lower-case words with hyphens, as in \`--name tasks\``,
    );
  }
  const document = readDocument(file, terminal.cwd);
  if ("problem" in document) return failWith(document.problem, exitCode.failed);
  const target = addToConfig(name, options.out, options.config, terminal.cwd);
  if ("problem" in target) return failWith(target.problem);
  const imported = importDocument(document.value, {
    name: options.name ?? target.added.replaces ?? name,
    params: options.params ?? "either",
    lossy: options.lossy === true,
    readExternal: externalReader(folders.filter((folder) => typeof folder !== "string")),
  });
  if (imported.files === undefined)
    return failWith(`${file}: ${imported.report.problem ?? "no spec"}`, exitCode.failed);
  write(imported.files, target.added);
  const refused = imported.report.entries.some(({ verdict }) => verdict === "refused");
  const where = { file, folder: relative(terminal.cwd, target.added.folder), config: target.added.config };
  if (options.json === true) terminal.print(JSON.stringify(importJson(imported.report, where), null, 2));
  else terminal.print(importText(imported.report, where, terminal.color, options.lossy === true));
  return refused ? exitCode.failed : exitCode.ok;
}

function write(files: NonNullable<Imported["files"]>, { folder, save }: AddedSpec): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  save();
}

function readDocument(file: string, cwd: string): { readonly value: Json } | { readonly problem: string } {
  const path = resolve(cwd, file);
  if (!existsSync(path) || !statSync(path).isFile()) return { problem: `there is no file ${file}` };
  if (statSync(path).size > documentBytesMax) return { problem: `${file} has more than 32 MiB` };
  const read = readDocumentFile(path);
  return "problem" in read ? { problem: `${file} cannot be read: ${read.problem}` } : read;
}

/** `--ref ./api/=vendor/api`, or why it is wrong. */
function referenceFolder(text: string, cwd: string): ReferenceFolder | string {
  const at = text.lastIndexOf("=");
  const folder = text.slice(at + 1);
  if (at <= 0 || folder === "")
    return `\`--ref ${text}\`: write the prefix of the references, \`=\`, and a folder`;
  const path = resolve(cwd, folder);
  if (!existsSync(path) || !statSync(path).isDirectory())
    return `\`--ref ${text}\`: there is no folder ${folder}`;
  return { prefix: text.slice(0, at), folder: path };
}

/** The name of an interface after a file. */
export function interfaceName(file: string): string {
  const name = kebabCase(basename(file, extname(file)).replace(/[-_.]?(openrpc|schema)$/i, "") || "imported");
  return /^[a-z]/.test(name) ? name : `i-${name}`;
}

interface ImportPlace {
  readonly file: string;
  /** Folder of the spec, relative to where the command runs. */
  readonly folder: string;
  readonly config?: string | undefined;
}

/** The report line by line: every method and type, and below it what was not taken as it is. */
function importText(
  { entries }: ImportReport,
  { file, folder, config }: ImportPlace,
  color: Terminal["color"],
  lossy: boolean,
): string {
  const paint = { exact: color.green, assumed: color.yellow, weakened: color.yellow, refused: color.red };
  const lines = entries.flatMap(({ kind, name, pointer, verdict, findings }) => [
    `${paint[verdict](verdict.padEnd(8))}  ${kind} ${name}${verdict === "exact" ? "" : color.dim(`  ${pointer}`)}`,
    ...findings.map(
      (finding) => `          ${color.dim(finding.pointer)} ${finding.effect}: ${finding.reason}`,
    ),
  ]);
  const refused = entries.some(({ verdict }) => verdict === "refused");
  return [
    ...lines,
    ...(lines.length === 0 ? [] : [""]),
    `${file}: methods: ${countText(countsOf(entries, "method"))}; types: ${countText(countsOf(entries, "type"))}`,
    config === undefined
      ? `The spec is in ${folder}.\n${withoutConfig(folder)}`
      : `The spec is in ${folder}, and in ledger-rpc.yaml: run \`ledger-rpc generate\`.`,
    ...(refused && !lossy
      ? ["With --lossy, what cannot be said is dropped, and kept beside it as x-dropped."]
      : []),
  ].join("\n");
}

/** The advice where no config names the spec. */
function withoutConfig(folder: string): string {
  const name = folder.split(/[/\\]/).at(-1);
  const isAbove = folder.startsWith("..") || isAbsolute(folder);
  const spec = isAbove ? "spec" : folder.replaceAll("\\", "/");
  return [
    `No ledger-rpc.yaml names it yet. Create one ${isAbove ? "above that folder" : "here"}, then run \`ledger-rpc generate\`:`,
    "",
    "specs:",
    `  - { spec: ${spec}, out: generated/${name}, handlers: src/handlers/${name} }`,
    // Everything is generated without it, and that needs more than the runtime: zod.
    "targets: [types, validators, methods, handlers, client]",
  ].join("\n");
}

function importJson(report: ImportReport, place: ImportPlace): object {
  const { entries } = report;
  return {
    ok: entries.every(({ verdict }: ReportEntry) => verdict !== "refused"),
    ...place,
    methods: countsOf(entries, "method"),
    types: countsOf(entries, "type"),
    entries,
  };
}

function countText({ all, taken, exact, assumed, weakened, refused }: Counts): string {
  return `${taken} of ${all} taken (${exact} exact, ${assumed} assumed, ${weakened} weakened), ${refused} refused`;
}
