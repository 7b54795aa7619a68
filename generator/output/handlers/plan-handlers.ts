import { diagnosticOf, type Diagnostic } from "../../language/diagnostics/index.ts";
import type { EmitLayout } from "../../targets/emitter.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { digestOf } from "../digest.ts";
import type { HandlerEntry, Manifest, OrphanEntry } from "../manifest.ts";
import type { PlannedFile } from "../planned-file.ts";
import type { ProjectStyle } from "../project-style.ts";
import type { RenderedFile } from "../render.ts";
import { formerEntries, renamedTypes } from "./former-names.ts";
import { renamesOf } from "./generated-renames.ts";
import { exportsName } from "./exported-name.ts";
import { digestOfStub, recognizeStubs, textOfFile, type HandFiles } from "./hand-files.ts";
import { handlersElsewhere } from "./handlers-elsewhere.ts";
import { findHandlerPaths, type Candidate, type HandlerPath, type WantedHandler } from "./handler-paths.ts";
import { importsRenamed } from "./imports-renamed.ts";
import { mergeHandler, type HandlerMerge } from "./merge-handler.ts";
import { ownEntry } from "./own-entry.ts";
import { orphanHandlers, type OrphanHandler } from "./orphan-handlers.ts";
import type { Renames } from "./renames.ts";
import { archiveOrphans, type OrphanArchive } from "./archive-orphans.ts";
import { docDigest, isStub, stubParts } from "./stub-parts.ts";
import { unreadFields } from "./unread-fields.ts";
import { oncePer } from "../../language/source/once-per.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** The changes in the folder of handlers, and its part of the manifest afterwards. */
export interface HandlersPlan {
  readonly files: readonly PlannedFile[];
  readonly entries: Readonly<Record<string, HandlerEntry>>;
  /** Generated content of files that stay although their method was removed. */
  readonly orphans: Readonly<Record<string, OrphanEntry>>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface HandlersRequest {
  readonly files: HandFiles;
  readonly layout: EmitLayout;
  readonly model: ServiceModel;
  readonly rendered: readonly RenderedFile[];
  /** The entries of the last run; empty at the first. */
  readonly written: Manifest["handlers"];
  /** Generated content of files without a method. */
  readonly orphaned: readonly OrphanEntry[];
  /** Lays out what is written into files that people own. */
  readonly style: ProjectStyle;
  /** Where files whose method is gone are moved out of the way, the paths that are taken there. */
  readonly prune?: { readonly taken: ReadonlySet<string> };
}

/**
 * Creates missing stubs, moves the files of renamed methods, and updates the generator's own words and imports whose
 * names have changed. Everything else in the folder stays, byte for byte.
 */
export async function planHandlers(request: HandlersRequest): Promise<HandlersPlan> {
  const { files, layout, model, rendered, style } = request;
  const written = everWritten(request);
  const stubs = rendered.filter(({ ownership }) => ownership === "stub").map(({ digest }) => digest);
  await recognizeStubs(files, new Set([...stubs, ...Object.values(written).map(({ stub }) => stub)]));
  const candidates = candidatesOf(request, written);
  const handlerPaths = findHandlerPaths(candidates, files, layout.handlers);
  const renames = renamesOf(rendered, renamedTypes(model, written), handlerPaths);
  const planner: Planner = { files, renames, style, planned: [], entries: {}, diagnostics: [] };
  for (const handlerPath of handlerPaths) await planHandlerPath(handlerPath, planner);
  for (const stub of rendered)
    if (stub.ownership === "stub" && stub.method === undefined)
      planner.planned.push(files.has(stub.path) ? keptFile(stub.path) : await createdFile(stub, planner));
  await planOthers(request, handlerPaths, planner);

  const after = new Map(planner.planned.flatMap((file) => ("text" in file ? [[file.path, file.text]] : [])));
  const orphans = orphanHandlers({ ...request, handlerPaths, textNow: (path) => after.get(path) });
  const aside = asideOf(orphans, request);
  const leaving = new Set(aside.files.map(({ from }) => from));
  return {
    files: [...planner.planned.filter(({ path }) => !leaving.has(path)), ...aside.files],
    entries: planner.entries,
    orphans: Object.fromEntries(
      aside.left.flatMap(({ entry }) => (entry === undefined ? [] : [[entry.file, entry]])),
    ),
    diagnostics: [
      ...planner.diagnostics,
      ...unread(handlerPaths, request),
      ...handlersElsewhere(handlerPaths, files, layout),
      ...aside.diagnostics,
      ...aside.left.map(({ path, entry }) => {
        const present = model.methods.find(({ renamedFrom }) => renamedFrom === entry?.method)?.name;
        const handlerPath = ownEntry(planner.entries, present ?? entry?.method ?? "")?.file;
        return diagnosticOf("orphan-handler", { method: entry?.method, handlerPath }, { path });
      }),
    ],
  };
}

/** The fields that callers may send and that bodies do not read. */
function unread(
  handlerPaths: readonly HandlerPath[],
  { files, model }: HandlersRequest,
): readonly Diagnostic[] {
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  return handlerPaths.flatMap(({ kind, wanted: { method: name, parts, stub } }) => {
    const method = methods.get(name);
    const bytes = kind === "here" ? files.get(stub.path) : undefined;
    if (method === undefined || bytes === undefined || isStub(bytes, stub.text)) return [];
    return unreadFields(textOfFile(bytes), parts.export, method.payload, model).map((field) =>
      diagnosticOf("field-unread", { method: name, field }, { path: stub.path }),
    );
  });
}

function asideOf(
  orphans: readonly OrphanHandler[],
  { files, layout, rendered, prune }: HandlersRequest,
): OrphanArchive {
  if (prune === undefined) return { files: [], diagnostics: [], left: orphans };
  const owned = new Set(rendered.flatMap(({ path, ownership }) => (ownership === "owned" ? [path] : [])));
  const byHand = new Map([...files].filter(([path]) => !owned.has(path)));
  return archiveOrphans(orphans, { files: byHand, layout, taken: prune.taken });
}

interface Planner {
  readonly files: HandFiles;
  readonly renames: Renames;
  readonly style: ProjectStyle;
  readonly planned: PlannedFile[];
  readonly entries: Record<string, HandlerEntry>;
  readonly diagnostics: Diagnostic[];
}

/** By method: what the last run wrote, or else an earlier one. */
function everWritten({ written, orphaned }: HandlersRequest): Manifest["handlers"] {
  return { ...Object.fromEntries(orphaned.map((entry) => [entry.method, entry])), ...written };
}

function candidatesOf(
  { layout, model, rendered }: HandlersRequest,
  written: Manifest["handlers"],
): readonly Candidate[] {
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  const paths = new Set(rendered.map(({ path }) => path));
  return rendered.flatMap((stub): readonly Candidate[] => {
    const wanted = wantedHandler(stub, layout);
    const method = wanted && methods.get(wanted.method);
    if (wanted === undefined) return [];
    const own = ownEntry(written, wanted.method);
    const former = method === undefined ? [] : formerEntries(method, model, written);
    const isFree = (entry: HandlerEntry): boolean =>
      entry === ownEntry(written, method?.renamedFrom ?? "") ||
      !paths.has(`${layout.handlers}/${entry.file}`);
    return [omitUndefined({ wanted, own, former: former.filter(isFree) })];
  });
}

function wantedHandler(stub: RenderedFile, layout: EmitLayout): WantedHandler | undefined {
  const { method, path, digest } = stub;
  if (method === undefined || stub.ownership !== "stub") return undefined;
  const { parts, doc } = partsOf(stub);
  const { export: name, type } = parts;
  const file = path.slice(layout.handlers.length + 1);
  return { method, stub, parts, entry: { file, export: name, type, ...doc, stub: digest } };
}

const partsOf = oncePer(({ path, text }: RenderedFile) => {
  const parts = stubParts(text);
  if (parts === undefined) throw new Error(`the stub ${path} exports no handler`);
  return { parts, doc: omitUndefined({ doc: parts.doc === undefined ? undefined : docDigest(parts.doc) }) };
});

async function planHandlerPath(handlerPath: HandlerPath, planner: Planner): Promise<void> {
  const { wanted, kind, from, before } = handlerPath;
  const { stub, method, entry, parts } = wanted;
  const bytes = planner.files.get(from);
  planner.entries[method] = entry;
  if (kind === "new" || bytes === undefined) {
    planner.planned.push(await createdFile(stub, planner));
    return;
  }
  const names = [parts.export, before?.export ?? parts.export];
  if (kind === "here" && !(await exportsOneOf(bytes, names))) {
    planner.diagnostics.push(
      diagnosticOf("handler-missing", { method, name: parts.export }, { path: stub.path }),
    );
    if (before !== undefined && before.export !== parts.export)
      planner.entries[method] = { ...before, file: entry.file };
    if (!importsRenamed(from, bytes, planner.renames)) planner.planned.push(keptFile(from));
    else await planMerge({ bytes, from, to: from }, planner);
    return;
  }
  const hasOtherWords = before !== undefined && !sameWords(before, entry);
  if (kind === "here" && !hasOtherWords && !importsRenamed(from, bytes, planner.renames)) {
    planner.planned.push(keptFile(stub.path));
    return;
  }
  if (before !== undefined && digestOfStub(bytes) === before.stub) {
    planner.planned.push(changedFile(from, stub.path, bytes, await styled(stub, planner), planner.files));
  } else {
    const words = { written: before ?? entry, wanted: parts };
    const isMerged = await planMerge({ bytes, from, to: stub.path, method: words }, planner);
    if (!isMerged) return refuse(handlerPath, planner);
  }
  if (kind === "elsewhere") {
    const names = before?.export === parts.export ? undefined : `${before?.export} is now ${parts.export}`;
    planner.diagnostics.push(diagnosticOf("handler-moved", { from, names }, { path: stub.path }));
  }
}

async function exportsOneOf(bytes: Buffer, names: readonly string[]): Promise<boolean> {
  for (const name of new Set(names)) if (await exportsName(bytes, name)) return true;
  return false;
}

/** A file that could not be merged keeps its former generated content for comparison: the next run tries again. */
async function refuse({ wanted, kind, before }: HandlerPath, planner: Planner): Promise<void> {
  const { stub, method, entry } = wanted;
  const { files, planned, entries } = planner;
  const bytes = files.get(stub.path);
  if (bytes === undefined) planned.push(await createdFile(stub, planner));
  else if (kind === "here" || !isStub(bytes, stub.text)) planned.push(keptFile(stub.path));
  else planned.push(changedFile(stub.path, stub.path, bytes, await styled(stub, planner), files));
  if (before !== undefined) entries[method] = kind === "here" ? { ...before, file: entry.file } : before;
}

/** Plans the change of one hand-written file; false, and a finding, where it has to stay as it is. */
async function planMerge(merge: HandlerMerge, planner: Planner): Promise<boolean> {
  const { from, to, bytes } = merge;
  const merged = await mergeHandler({ ...merge, renames: planner.renames, style: planner.style });
  if (merged.kind === "refused") {
    const change =
      from === to
        ? "its doc comment, names and imports stay as they were"
        : `it stays at ${from} and its method gets a new stub`;
    planner.diagnostics.push(diagnosticOf("handler-kept", { reason: merged.reason, change }, { path: from }));
    return false;
  }
  planner.planned.push(changedFile(from, to, bytes, merged.bytes.toString(), planner.files));
  for (const name of merged.stranded)
    planner.diagnostics.push(diagnosticOf("handler-import", { name }, { path: to }));
  return true;
}

/** The other files of the folder: only their imports are followed. */
async function planOthers(
  { files, rendered }: HandlersRequest,
  handlerPaths: readonly HandlerPath[],
  planner: Planner,
): Promise<void> {
  const known = new Set([...handlerPaths.map(({ from }) => from), ...rendered.map(({ path }) => path)]);
  for (const [path, bytes] of files) {
    if (known.has(path) || !/\.[cm]?ts$/.test(path)) continue;
    if (importsRenamed(path, bytes, planner.renames))
      await planMerge({ bytes, from: path, to: path }, planner);
  }
}

function sameWords(a: HandlerEntry, b: HandlerEntry): boolean {
  return a.doc === b.doc && a.export === b.export && a.type === b.type;
}

async function createdFile(stub: RenderedFile, planner: Planner): Promise<PlannedFile> {
  return { kind: "create", path: stub.path, text: await styled(stub, planner), read: "nothing" };
}

function styled({ path, text }: RenderedFile, { style }: Planner): Promise<string> {
  return style(path, text);
}

function keptFile(path: string): PlannedFile {
  return { kind: "keep", path };
}

function changedFile(from: string, path: string, bytes: Buffer, text: string, files: HandFiles): PlannedFile {
  const read = digestOf(bytes);
  if (from !== path) {
    const over = files.get(path);
    const move = { kind: "move", path, from, text, before: bytes.toString(), read } as const;
    return over === undefined ? move : { ...move, over: digestOf(over) };
  }
  return Buffer.from(text).equals(bytes)
    ? keptFile(path)
    : { kind: "update", path, text, before: bytes.toString(), read };
}
