import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { importDocument } from "../../../tools/import/index.ts";
import { sourceText, type SourceText } from "../../language/source/index.ts";
import { externalReader, documentOf } from "../../../tools/import/read-document.ts";
import type { GitRepository } from "./diff-git.ts";
import { documentBytesMax, interfaceName } from "../../../tools/import/import.ts";

/** An OpenRPC document or a JSON Schema to compare, as somebody names it. */
export interface NamedDocument {
  readonly kind: "document";
  readonly label: string;
  read(): string;
}

/** The document that an argument names: a file, or one of a revision, `HEAD~3:openrpc.json`. */
export function documentNamedBy(
  text: string,
  cwd: string,
  git: GitRepository | undefined,
): NamedDocument | undefined {
  if (!/\.(?:json|ya?ml)$/i.test(text)) return undefined;
  const path = resolve(cwd, text);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    return { kind: "document", label: text, read: () => readFileSync(path, "utf8") };
  const at = text.indexOf(":");
  const commit = at === -1 ? undefined : git?.commitOf(text.slice(0, at));
  if (git === undefined || commit === undefined) return undefined;
  const written = text.slice(at + 1);
  const found = [git.fromRoot(written), written]
    .map((each) => git.read(commit, each))
    .find((each) => each !== undefined);
  return found === undefined ? undefined : { kind: "document", label: text, read: () => found };
}

/** Two revisions of a spec, held in memory. */
export interface DocumentSides {
  readonly name: string;
  readonly old: DocumentSide;
  readonly new: DocumentSide;
}

interface DocumentSide {
  readonly label: string;
  readonly folder: string;
  read(): readonly SourceText[];
}

/** Two documents, imported in memory, as a spec to compare; or why not, with the file's name in every line. */
export function documentSides(
  old: NamedDocument,
  recent: NamedDocument,
  { lossy = false }: { readonly lossy?: boolean | undefined },
): DocumentSides | string {
  const name = interfaceName(basename(recent.label));
  const [before, now] = [old, recent].map((document) => importedTexts(document, name, lossy));
  if (before === undefined || now === undefined) return "nothing to compare";
  const problems = [before, now].filter((texts) => typeof texts === "string");
  if (typeof before === "string" || typeof now === "string") return problems.join("\n");
  return {
    name,
    old: { label: old.label, folder: "spec", read: () => before },
    new: { label: recent.label, folder: "spec", read: () => now },
  };
}

/** The files of the spec that `ledger-rpc import` makes of a document. */
function importedTexts({ label, read }: NamedDocument, name: string, lossy: boolean) {
  const text = read();
  if (Buffer.byteLength(text) > documentBytesMax) return `${label} has more than 32 MiB`;
  const document = documentOf(label, () => text);
  if ("problem" in document) return `${label} cannot be read: ${document.problem}`;
  const { files, report } = importDocument(document.value, {
    name,
    params: "either",
    lossy,
    readExternal: externalReader([]),
  });
  if (files === undefined) return `${label}: ${report.problem ?? "no spec"}`;
  const refused = report.entries.filter(({ verdict }) => verdict === "refused");
  if (refused.length > 0) {
    const lines = refused.flatMap(({ kind, name: of, findings }) =>
      findings
        .filter(({ effect }) => effect === "refused")
        .map(({ pointer, reason }) => `${label}: ${kind} ${of}: ${pointer}: ${reason}`),
    );
    const advice = lossy ? [] : ["With --lossy, what cannot be said is left out on both sides."];
    return [...lines, ...advice].join("\n");
  }
  return Object.entries(files).map(([file, spec]) => sourceText(`${label} as ${file}`, spec));
}
