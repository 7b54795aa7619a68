import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, join, relative, resolve } from "node:path";
import { importDocument, type Imported, type Json, type ParamsStyle } from "./index.ts";
import { kebabCase } from "../../generator/model/case-conversion.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { addToConfig, type AddedSpec } from "./add-spec.ts";
import { externalReader, type ReferenceFolder } from "./external-documents.ts";
import { importJson, importText } from "./show-import.ts";
import { readDocumentFile } from "./read-document.ts";
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
