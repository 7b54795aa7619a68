import { createHash } from "node:crypto";
import * as nodeModule from "node:module";
import { dirname, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../conformance/base/message-of.ts";
import { diagnosticOf, type Diagnostic } from "../language/diagnostics/index.ts";
import { projectFolder, type ProjectFolder } from "../output/folder.ts";
import { isPathBelow } from "../output/manifest.ts";
import { emitterNames, type Emitter, type FileDraft } from "../targets/index.ts";
import type { ProjectConfig, SpecTarget } from "./config.ts";

/** Modules of the project that the config lists among its targets. */
export interface ProjectEmitters {
  readonly emitters: readonly Emitter[];
  /** The path of each one's module, by the emitter's name. */
  readonly modules: ReadonlyMap<string, string>;
  /** Modules that export no emitter. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An emitter of the project failed, or wants to write where it may not. */
export class EmitterFailed extends Error {
  override readonly name = "EmitterFailed";
  readonly diagnostic: Diagnostic;

  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path}: ${reason}`, { cause });
    this.diagnostic = diagnosticOf("emitter-failed", { reason }, { path });
  }
}

/** SHA-256 of what the modules are made of: the files of their folders, or the file alone at the root of the project. */
export function digestOfModules(folder: ProjectFolder, modules: readonly string[]): string {
  const digest = createHash("sha256");
  for (const path of modules.flatMap((module) => filesOf(folder, module)))
    digest.update(`\n${path} ${folder.digest(path) ?? "gone"}`);
  return digest.digest("hex");
}

/** The files whose change makes a module another one: templates and tables count as its code does. */
export function filesOf(folder: ProjectFolder, module: string): readonly string[] {
  const own = posix.dirname(module);
  if (own === ".") return [module];
  // Editors save into files that are hidden or end in `~`.
  return folder.list(own).filter((path) => !/(?:^|\/)(?:\.|node_modules\/)|~$/.test(path.slice(own.length)));
}

/** The modules of the project among the targets of a spec. */
export function modulesFor(config: ProjectConfig, target: SpecTarget): readonly string[] {
  return target.emitters ?? config.emitters;
}

const none: ProjectEmitters = { emitters: [], modules: new Map(), diagnostics: [] };
const known = new Map<string, { readonly digest: string; readonly loaded: Promise<ProjectEmitters> }>();

/** The emitters as their files are now; the same object for the same files. */
export async function loadProjectEmitters(
  root: string,
  modules: readonly string[],
): Promise<ProjectEmitters> {
  if (modules.length === 0) return none;
  const digest = digestOfModules(projectFolder(root), modules);
  const key = JSON.stringify([root, modules]);
  const last = known.get(key);
  if (last?.digest === digest) return await last.loaded;
  const loaded = loadAll(root, modules, digest);
  known.set(key, { digest, loaded });
  return await loaded;
}

async function loadAll(root: string, modules: readonly string[], digest: string): Promise<ProjectEmitters> {
  const emitters: Emitter[] = [];
  const names = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const path of modules) {
    try {
      const emitter = emitterIn(path, await import(versioned(root, path, digest)));
      const other = names.get(emitter.name);
      if (other !== undefined)
        throw new EmitterFailed(path, `${other} has an emitter \`${emitter.name}\`, too`);
      emitters.push(emitter);
      names.set(emitter.name, path);
    } catch (cause) {
      diagnostics.push(failure(path, cause).diagnostic);
    }
  }
  const targets = [...emitterNames(), ...names.keys()];
  for (const { name, needs = [] } of emitters) {
    const missing = needs.find((each) => !targets.includes(each));
    const reason = `it needs a target \`${missing}\`, but there are ${targets.join(", ")}`;
    if (missing !== undefined)
      diagnostics.push(new EmitterFailed(names.get(name) ?? name, reason).diagnostic);
  }
  return { emitters, modules: names, diagnostics };
}

/** A module and those of its folder are loaded anew when a file has changed: `--watch` would have the old ones. */
function versioned(root: string, path: string, digest: string): string {
  const url = pathToFileURL(join(root, path));
  url.searchParams.set(versionKey, digest);
  if (!isHooked && "registerHooks" in nodeModule)
    nodeModule.registerHooks({
      resolve(specifier, context, next) {
        const resolved = next(specifier, context);
        const from = URL.parse(context.parentURL ?? "");
        const version = from?.searchParams.get(versionKey);
        const isOwn = from !== null && resolved.url.startsWith(new URL(".", from).href);
        if (typeof version !== "string" || !isOwn || resolved.url.includes("/node_modules/")) return resolved;
        const own = new URL(resolved.url);
        own.searchParams.set(versionKey, version);
        return { ...resolved, url: own.href };
      },
    });
  isHooked = true;
  return url.href;
}

const versionKey = "ledger-rpc-version";
let isHooked = false;

function emitterIn(path: string, module: unknown): Emitter {
  if (typeof module !== "object" || module === null || !("emitter" in module) || !isEmitter(module.emitter))
    throw new EmitterFailed(path, "it exports no `emitter` with a `name` and a function `emit`");
  const { emitter } = module;
  const { needs = [], check = () => [] } = emitter;
  if (!Array.isArray(needs)) throw new EmitterFailed(path, "`needs` must be a list of names");
  if (typeof check !== "function") throw new EmitterFailed(path, "`check` must be a function");
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(emitter.name))
    throw new EmitterFailed(path, `\`${emitter.name}\` is no name of a target: write it in kebab-case`);
  if (emitterNames().includes(emitter.name))
    throw new EmitterFailed(path, `there is a target \`${emitter.name}\` already`);
  return {
    ...emitter,
    emit(model, layout) {
      const folder = `${layout.out}/${emitter.name}/`;
      // Other emitters read the layout, too.
      return guarded(path, () => checkedDrafts(path, emitter.emit(model, structuredClone(layout)), folder));
    },
    check: (model) => guarded(path, () => checkedDiagnostics(path, emitter.check?.(model) ?? [])),
  };
}

function isEmitter(value: unknown): value is Emitter {
  if (typeof value !== "object" || value === null || !("name" in value && "emit" in value)) return false;
  return typeof value.name === "string" && typeof value.emit === "function";
}

/** The drafts: each is a file of its own in the emitter's folder. */
function checkedDrafts(path: string, drafts: unknown, folder: string): readonly FileDraft[] {
  if (drafts instanceof Promise)
    throw new EmitterFailed(path, "`emit` must return the files themselves, not a promise of them");
  if (!Array.isArray(drafts)) throw new EmitterFailed(path, "`emit` returns no list of files");
  const checked = drafts.map((draft: unknown): FileDraft => {
    if (typeof draft !== "object" || draft === null || !("path" in draft && "text" in draft))
      throw new EmitterFailed(path, "`emit` returns something that is no file with `path` and `text`");
    if (typeof draft.path !== "string" || typeof draft.text !== "string")
      throw new EmitterFailed(path, "`path` and `text` of a file are texts");
    if (!draft.path.startsWith(folder) || !isPathBelow(draft.path.slice(folder.length)))
      throw new EmitterFailed(
        path,
        `it wants to write ${draft.path}, which is not a file in its folder ${folder}`,
      );
    if ("ownership" in draft && draft.ownership !== "owned")
      throw new EmitterFailed(path, `${draft.path} must be \`owned\`: stubs are made by handlers only`);
    return { path: draft.path, ownership: "owned", text: draft.text };
  });
  checkApart(path, checked);
  return checked;
}

/** No two files may have one path, nor a file the path of a folder: not on disks that ignore case either. */
function checkApart(module: string, drafts: readonly FileDraft[]): void {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const { path } of drafts) {
    const parts = path.toLowerCase().split("/");
    parts.slice(0, -1).forEach((_, at) => folders.add(parts.slice(0, at + 1).join("/")));
    if (files.has(path.toLowerCase())) throw new EmitterFailed(module, `it wants to write ${path} twice`);
    files.add(path.toLowerCase());
  }
  const both = drafts.find(({ path }) => folders.has(path.toLowerCase()));
  if (both !== undefined)
    throw new EmitterFailed(module, `it wants to write ${both.path} both as a file and as a folder`);
}

function checkedDiagnostics(path: string, found: unknown): readonly Diagnostic[] {
  if (!Array.isArray(found) || !found.every(isDiagnostic))
    throw new EmitterFailed(
      path,
      "`check` returns no list of diagnostics with `severity`, `code` and `message`",
    );
  return found;
}

function isDiagnostic(value: unknown): value is Diagnostic {
  if (typeof value !== "object" || value === null) return false;
  if (!("severity" in value && "code" in value && "message" in value)) return false;
  const isSeverity = ["error", "warning", "info"].some((each) => each === value.severity);
  return isSeverity && typeof value.code === "string" && typeof value.message === "string";
}

function guarded<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw failure(path, cause);
  }
}

function failure(path: string, cause: unknown): EmitterFailed {
  return cause instanceof EmitterFailed
    ? cause
    : new EmitterFailed(path, `${messageOf(cause)}${placeOf(path, cause)}`, cause);
}

/** Where the module threw: `, line 12`. */
function placeOf(path: string, cause: unknown): string {
  const folder = dirname(path) === "." ? path : `${dirname(path)}/`;
  const stack = cause instanceof Error ? (cause.stack ?? "") : "";
  const line = stack.split("\n").find((each) => each.includes(folder));
  const place = /([^/\\]+\.[cm]?[jt]s)(?:\?[^:]*)?:(\d+)/.exec(line ?? "");
  return place === null ? "" : ` (${place[1]}, line ${place[2]})`;
}
