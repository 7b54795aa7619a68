import type { Diagnostic } from "../../diagnostics/index.ts";
import type { EmitLayout } from "../../emit/emitter.ts";
import { outputDiagnostic } from "../catalogue.ts";
import { digestOf } from "../digest.ts";
import type { ProjectFolder } from "../folder.ts";
import type { HandlerEntry, Manifest } from "../manifest.ts";
import type { PlannedFile } from "../planned-file.ts";
import type { RenderedFile } from "../render.ts";
import { mergeHandler } from "./merge-handler.ts";
import { docDigest, stubParts, type StubParts } from "./stub-parts.ts";

/** What happens to the folder of bodies, and what the manifest says of it afterwards. */
export interface HandlersPlan {
  readonly files: readonly PlannedFile[];
  readonly entries: Readonly<Record<string, HandlerEntry>>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface HandlersRequest {
  readonly folder: ProjectFolder;
  readonly layout: EmitLayout;
  readonly stubs: readonly RenderedFile[];
  /** What the last run wrote; empty at the first. */
  readonly written: Manifest["handlers"];
  /** The former name of each method that says it was renamed. */
  readonly formerNames: ReadonlyMap<string, string>;
}

/** Creates the stubs that are missing; moves and touches up the files of methods that were renamed or redocumented. */
export async function planHandlers(request: HandlersRequest): Promise<HandlersPlan> {
  const files: PlannedFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const entries: Record<string, HandlerEntry> = {};
  for (const stub of request.stubs) {
    const wanted = wantedStub(stub, request.layout);
    if (wanted !== undefined) entries[wanted.method] = wanted.entry;
    const planned = await planStub(stub, wanted, request);
    files.push(planned.file);
    diagnostics.push(...planned.diagnostics);
  }
  return { files, entries, diagnostics };
}

interface WantedStub {
  readonly method: string;
  readonly parts: StubParts;
  readonly entry: HandlerEntry;
}

interface PlannedStub {
  readonly file: PlannedFile;
  readonly diagnostics: readonly Diagnostic[];
}

function wantedStub(
  { method, path, text, digest }: RenderedFile,
  layout: EmitLayout,
): WantedStub | undefined {
  if (method === undefined) return undefined;
  const parts = stubParts(text);
  if (parts === undefined) throw new Error(`the stub ${path} exports no handler`);
  const { doc, ...names } = parts;
  const file = path.slice(layout.handlers.length + 1);
  return {
    method,
    parts,
    entry: { file, ...names, ...(doc === undefined ? {} : { doc: docDigest(doc) }), stub: digest },
  };
}

async function planStub(
  stub: RenderedFile,
  wanted: WantedStub | undefined,
  request: HandlersRequest,
): Promise<PlannedStub> {
  const { folder, layout, written } = request;
  const bytes = folder.read(stub.path);
  if (wanted === undefined) {
    return { file: bytes === undefined ? createdFile(stub) : keptFile(stub), diagnostics: [] };
  }
  const before = written[wanted.method] ?? formerEntry(wanted.method, request);
  if (bytes !== undefined) {
    const isSettled = before === undefined || sameWords(before, wanted.entry);
    return isSettled
      ? { file: keptFile(stub), diagnostics: [] }
      : await mergedFile(stub, stub.path, bytes, before, wanted.parts);
  }
  const from = before === undefined ? undefined : `${layout.handlers}/${before.file}`;
  const isFree = from !== undefined && !request.stubs.some(({ path }) => path === from);
  const moved = isFree ? folder.read(from) : undefined;
  return before === undefined || from === undefined || moved === undefined
    ? { file: createdFile(stub), diagnostics: [] }
    : await mergedFile(stub, from, moved, before, wanted.parts);
}

function formerEntry(method: string, { formerNames, written }: HandlersRequest): HandlerEntry | undefined {
  const formerName = formerNames.get(method);
  return formerName === undefined ? undefined : written[formerName];
}

function sameWords(a: HandlerEntry, b: HandlerEntry): boolean {
  return a.doc === b.doc && a.export === b.export && a.type === b.type;
}

async function mergedFile(
  stub: RenderedFile,
  from: string,
  bytes: Buffer,
  before: HandlerEntry,
  wanted: StubParts,
): Promise<PlannedStub> {
  const isUntouchedStub = digestOf(bytes) === before.stub;
  const merged = isUntouchedStub
    ? { kind: "text" as const, text: stub.text }
    : await mergeHandler({ bytes, from, to: stub.path, written: before, wanted });
  const moved = from !== stub.path;
  if (merged.kind === "refused") {
    const change = moved
      ? `it stays at ${from} and its method gets a new stub`
      : "its doc comment and names stay as they were";
    return {
      file: moved ? createdFile(stub) : keptFile(stub),
      diagnostics: [outputDiagnostic("handler-kept", { reason: merged.reason, change }, from)],
    };
  }
  const { text } = merged;
  if (moved) {
    const names = before.export === wanted.export ? undefined : `${before.export} is now ${wanted.export}`;
    return {
      file: { kind: "move", path: stub.path, from, text, before: bytes.toString() },
      diagnostics: [outputDiagnostic("handler-moved", { from, names }, stub.path)],
    };
  }
  const isSame = Buffer.from(text).equals(bytes);
  return {
    file: isSame ? keptFile(stub) : { kind: "update", path: stub.path, text, before: bytes.toString() },
    diagnostics: [],
  };
}

function createdFile({ path, text }: RenderedFile): PlannedFile {
  return { kind: "create", path, text };
}

function keptFile({ path }: RenderedFile): PlannedFile {
  return { kind: "keep", path };
}
