import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { diagnosticOf, type Diagnostic, type Result } from "../language/diagnostics/index.ts";
import type { EmitLayout } from "../targets/emitter.ts";
import type { ServiceModel } from "../model/service-model.ts";
import { digestOf } from "./digest.ts";
import { UnreadableFile, type ProjectFolder } from "./folder.ts";
import { adapterDiagnostics } from "./handlers/adapters-needed.ts";
import { digestOfFile, orphanedFolder, readHandFiles, type HandFiles } from "./handlers/hand-files.ts";
import { planHandlers } from "./handlers/plan-handlers.ts";
import { manifestFile, parseManifest, printManifest, type Manifest } from "./manifest.ts";
import type { PlannedFile } from "./planned-file.ts";
import { projectStyle } from "./project-style.ts";
import type { RenderedFile } from "./render.ts";
import { unserved } from "./unserved.ts";

/** Everything a run is going to do for one interface. Nothing of it has been done. */
export interface WritePlan {
  readonly interface: string;
  readonly layout: EmitLayout;
  /** In path order. */
  readonly files: readonly PlannedFile[];
  /** The manifest, written last. */
  readonly manifest: PlannedFile;
  /** SHA-256 of every file that the generator owns, by path, but of the manifest. */
  readonly owned: ReadonlyMap<string, string>;
  /** SHA-256 of every file that people wrote, by path, as it is to be afterwards. */
  readonly handWritten: ReadonlyMap<string, string>;
  /** The diagnostics of work left to people, shown after everything else was written. */
  readonly unfinished: readonly Diagnostic[];
  /** Written before everything else where files come or go, so that an interrupted run knows its own files. */
  readonly claim?: string;
}

/** The files to write, and their interface. */
export interface PlanRequest {
  readonly folder: ProjectFolder;
  readonly layout: EmitLayout;
  readonly model: ServiceModel;
  readonly rendered: readonly RenderedFile[];
  readonly generatorVersion: string;
  /** Whether handler files whose method is gone are moved out of the way. */
  readonly prune?: boolean;
}

/** Compares what should be with what is. No value when a file is in the way. */
export async function plan(request: PlanRequest): Promise<Result<WritePlan>> {
  try {
    return await planned(request);
  } catch (cause) {
    if (!(cause instanceof UnreadableFile)) throw cause;
    return {
      diagnostics: [diagnosticOf("file-unreadable", { reason: cause.message }, { path: cause.path })],
    };
  }
}

async function planned(request: PlanRequest): Promise<Result<WritePlan>> {
  const { folder, layout, model, rendered } = request;
  const path = `${layout.out}/${manifestFile}`;
  const bytes = folder.read(path);
  const last = bytes === undefined ? undefined : parseManifest(path, bytes.toString());
  if (last !== undefined && last.value === undefined) return { diagnostics: last.diagnostics };
  const written = last?.value;

  const owned = planOwned(request, written);
  const handFiles = readHandFiles(folder, layout);
  const handlers = await planHandlers(
    omitUndefined({
      files: handFiles,
      layout,
      model,
      rendered,
      written: written?.handlers ?? {},
      orphaned: Object.values(written?.orphans ?? {}),
      style: projectStyle(folder.root),
      prune: request.prune === true ? { taken: orphanedPaths(folder, layout) } : undefined,
    }),
  );
  const diagnostics = [...unserved(model), ...owned.diagnostics, ...handlers.diagnostics];
  if (diagnostics.some(({ severity }) => severity === "error")) return { diagnostics };

  const digests = new Map(
    rendered.flatMap(({ path: each, ownership, digest }) => (ownership === "owned" ? [[each, digest]] : [])),
  );
  const manifest: Manifest = {
    generator: request.generatorVersion,
    interface: model.name,
    revision: model.revision,
    ...ownedDigests(digests, layout),
    handlers: handlers.entries,
    orphans: handlers.orphans,
  };
  const files = [...owned.files, ...handlers.files].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const claim = claimOf(manifest, written, files);
  const adapters = adapterDiagnostics(model, layout, handFiles);
  const isClaimed = claim === undefined || claim === bytes?.toString();
  return {
    value: omitUndefined({
      interface: model.name,
      layout,
      files,
      manifest: plannedText(path, printManifest(manifest), bytes),
      owned: digests,
      handWritten: handWrittenAfter(handFiles, digests, handlers.files),
      unfinished: adapters.needed,
      claim: isClaimed ? undefined : claim,
    }),
    diagnostics: [...diagnostics, ...adapters.others],
  };
}

interface OwnedPlan {
  readonly files: readonly PlannedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

function planOwned({ folder, layout, rendered }: PlanRequest, written: Manifest | undefined): OwnedPlan {
  const files: PlannedFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const digests = writtenDigests(layout, written);
  const owned = rendered.filter(({ ownership }) => ownership === "owned");
  for (const { path, text, digest } of owned) {
    const present = folder.digest(path);
    if (present === digest) {
      files.push({ kind: "keep", path });
      continue;
    }
    const known = digests.get(path);
    const bytes = present === undefined ? undefined : folder.read(path);
    const isChange = bytes !== undefined;
    if (bytes !== undefined && isSameText(bytes, text)) {
      files.push({ kind: "keep", path });
      continue;
    }
    if (isChange && known === undefined) diagnostics.push(diagnosticOf("foreign-file", {}, { path }));
    if (isChange && known !== undefined && digestOf(textOf(bytes)) !== known)
      diagnostics.push(diagnosticOf("edited-file", {}, { path }));
    files.push(
      isChange ? { kind: "update", path, text, before: bytes.toString() } : { kind: "create", path, text },
    );
  }
  const wanted = new Set(rendered.map(({ path }) => path.toLowerCase()));
  for (const path of digests.keys()) {
    if (wanted.has(path.toLowerCase())) continue;
    const bytes = folder.read(path);
    if (bytes !== undefined) files.push({ kind: "delete", path, before: bytes.toString() });
  }
  return { files, diagnostics };
}

function plannedText(path: string, text: string, bytes: Buffer | undefined): PlannedFile {
  if (bytes === undefined) return { kind: "create", path, text };
  return isSameText(bytes, text)
    ? { kind: "keep", path }
    : { kind: "update", path, text, before: bytes.toString() };
}

/** Whether a file has a text. Git may check it out with other line ends, and editors put a byte order mark before it. */
function isSameText(bytes: Buffer, text: string): boolean {
  return bytes.equals(Buffer.from(text)) || textOf(bytes) === text;
}

function textOf(bytes: Buffer): string {
  return bytes
    .toString()
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n");
}

function writtenDigests(layout: EmitLayout, written: Manifest | undefined): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(written?.files ?? {}).map(
      ([path, digest]) => [`${layout.out}/${path}`, digest] as const,
    ),
    ...Object.entries(written?.registry ?? {}).map(
      ([path, digest]) => [`${layout.handlers}/${path}`, digest] as const,
    ),
  ]);
}

function ownedDigests(
  owned: ReadonlyMap<string, string>,
  layout: EmitLayout,
): Pick<Manifest, "files" | "registry"> {
  const files: Record<string, string> = {};
  const registry: Record<string, string> = {};
  for (const [path, digest] of owned) {
    if (path.startsWith(`${layout.out}/`)) files[path.slice(layout.out.length + 1)] = digest;
    else if (path.startsWith(`${layout.handlers}/`))
      registry[path.slice(layout.handlers.length + 1)] = digest;
    else throw new Error(`an emitter wants to own ${path}, which is outside its folders`);
  }
  return { files, registry };
}

/** Files old and new together: whatever a run leaves when it is interrupted, the next one knows as its own. */
function claimOf(
  manifest: Manifest,
  written: Manifest | undefined,
  files: readonly PlannedFile[],
): string | undefined {
  if (files.every(({ kind }) => kind === "keep" || kind === "update" || kind === "aside")) return undefined;
  return printManifest({
    ...(written ?? manifest),
    files: { ...manifest.files, ...written?.files },
    registry: { ...manifest.registry, ...written?.registry },
    handlers: written?.handlers ?? {},
    orphans: written?.orphans ?? {},
  });
}

function orphanedPaths(folder: ProjectFolder, { handlers }: EmitLayout): ReadonlySet<string> {
  return new Set(folder.list(`${handlers}/${orphanedFolder}`).map((path) => path.toLowerCase()));
}

function handWrittenAfter(
  files: HandFiles,
  owned: ReadonlyMap<string, string>,
  planned: readonly PlannedFile[],
): ReadonlyMap<string, string> {
  const after = new Map([...files].map(([path, bytes]) => [path, digestOfFile(bytes)]));
  for (const file of planned) if ("from" in file) after.delete(file.from);
  for (const file of planned) {
    if (file.kind === "aside") after.set(file.path, file.read);
    else if (file.kind !== "keep" && file.kind !== "delete") after.set(file.path, digestOf(file.text));
  }
  return new Map([...after].filter(([path]) => !owned.has(path)));
}
