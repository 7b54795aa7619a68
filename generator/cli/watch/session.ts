import { basename, dirname, join } from "node:path";
import { diagnosticOf, type Diagnostic } from "../../language/diagnostics/index.ts";
import {
  diagnosticsOfNextRun,
  filesLeft,
  projectFolder,
  rememberingFolder,
  snapshotOf,
  UnreadableFile,
  type ProjectFolder,
  type RunInputs,
  type UpToDate,
} from "../../output/index.ts";
import { loadPreparer, prepare, rememberPrepared, type Prepared } from "../prepare.ts";
import { filesOf, modulesFor } from "../project-emitters.ts";
import { selectSpecs, type Selection, type SpecOptions } from "../select.ts";
import { writePrepared, type Written } from "../write-prepared.ts";
import { changesBetween, type Change } from "./changes.ts";
import type { Followed } from "../file-events.ts";

type Selected = Extract<Selection, { kind: "selected" }>;

/** Runs `generate` again and again over one project. */
export interface Session {
  /** The files that a run depends on. */
  readonly followed: Followed;
  /** Changes since the last round. */
  look(): Look;
  /** Brings what is generated up to date. */
  round(look: Look): Promise<Round>;
}

/** The specs at one moment. */
export interface Look {
  readonly specs: ProjectFolder;
  readonly changes: readonly Change[];
}

/** The result of a round. */
export interface Round extends Written {
  /** Why no spec was looked at, where that is a matter of the config. */
  readonly failure?: string;
  /** Files for people to fill in. */
  readonly created: readonly string[];
  /** Work after the round has been shown. */
  remember(): void;
}

export async function createSession(options: SpecOptions, first: Selected): Promise<Session> {
  const { root, file } = first.config;
  const folder = rememberingFolder(projectFolder(root));
  const configPath = basename(file);
  const preparer = await loadPreparer();
  const memory = createMemory();
  let { targets, config: present } = first;
  let used: readonly string[] = [];
  let known = snapshotOf(folder);
  const folders = (): readonly string[] => [...new Set([...targets.map(({ spec }) => spec), ...used])];
  const modules = () => [...new Set(targets.flatMap((each) => modulesFor(present, each)))];
  const emitterFiles = () => modules().flatMap((path) => filesOf(folder, path));

  const round = async (specs: ProjectFolder): Promise<Round> => {
    // Before the config is read: one that is saved meanwhile has changed.
    specs.read(configPath);
    const selection = selectSpecs({ ...options, config: file }, root);
    if (selection.kind === "refused") return failed(selection.diagnostics, selection.message);
    const { config } = selection;
    [targets, present] = [selection.targets, config];
    // Before they are loaded, as the config.
    for (const path of emitterFiles()) specs.read(path);
    const upToDate = (inputs: RunInputs): UpToDate | undefined => memory.upToDate(inputs, specs);
    const prepared = await prepare(config, targets, () => undefined, { folder, specs, upToDate, preparer });
    used = prepared.flatMap((each) => memory.foldersOf(each));
    const done: Prepared[] = [];
    const onWritten = (each: Prepared): void => {
      done.push(each);
      memory.keep(each);
    };
    const written = writePrepared(config, prepared, () => undefined, onWritten, folder);
    return {
      ...written,
      created: done.flatMap(createdIn),
      remember: () => done.forEach((each) => rememberPrepared(config, each, folder)),
    };
  };

  return {
    get followed() {
      return followedOf(root, folders(), [configPath, ...modules()]);
    },
    look() {
      const specs = snapshotOf(folder);
      return { specs, changes: changesBetween(known, specs, folders(), [configPath, ...emitterFiles()]) };
    },
    async round({ specs }) {
      known = specs;
      try {
        for (let triesLeft = triesMax; ; triesLeft -= 1) {
          const result = await round(specs);
          if (triesLeft === 1 || !wasOvertaken(result)) return result;
        }
      } catch (cause) {
        if (!(cause instanceof UnreadableFile)) throw cause;
        return failed([diagnosticOf("file-unreadable", { reason: cause.message }, { path: cause.path })]);
      }
    },
  };
}

/** The folders of specs, the config, and the folders of emitters: all that they import lies there. */
function followedOf(root: string, folders: readonly string[], files: readonly string[]): Followed {
  const around = files.map((path) => dirname(path)).filter((path) => path !== ".");
  return {
    folders: [...folders, ...around].map((path) => join(root, path)),
    files: files.map((path) => join(root, path)),
  };
}

/** How often a round is tried whose author goes on saving handlers. */
const triesMax = 5;

/** Whether a handler was saved in the middle of the round: it stays as it was saved, and the round is not complete. */
function wasOvertaken({ diagnostics }: Round): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 && errors.every(({ code }) => code === "handler-changed");
}

function failed(diagnostics: readonly Diagnostic[], failure?: string): Round {
  const nothing = { outcomes: [], diagnostics, failed: true, created: [], remember: () => undefined };
  return failure === undefined ? nothing : { ...nothing, failure };
}

function createdIn({ plan }: Prepared): readonly string[] {
  const files = plan?.files ?? [];
  return files.flatMap((file) => (file.kind === "create" && file.read === "nothing" ? [file.path] : []));
}

/** The inputs of each interface: one with equal inputs is not generated again. */
function createMemory() {
  const kept = new Map<string, Prepared & { readonly inputsText: string }>();
  return {
    upToDate(inputs: RunInputs, specs: ProjectFolder): UpToDate | undefined {
      const last = kept.get(inputs.spec);
      if (last?.plan === undefined || last.inputsText !== JSON.stringify(inputs)) return undefined;
      if (changesBetween(last.specs, specs, last.folders, []).length > 0) return undefined;
      return { files: filesLeft(last.plan.files), diagnostics: diagnosticsOfNextRun(last.diagnostics) };
    },
    keep(prepared: Prepared): void {
      if (prepared.plan === undefined) return;
      kept.set(prepared.target.spec, { ...prepared, inputsText: JSON.stringify(prepared.inputs) });
    },
    /** The spec folders that an interface was read from. */
    foldersOf({ target, upToDate, folders }: Prepared): readonly string[] {
      return upToDate === undefined ? folders : (kept.get(target.spec)?.folders ?? []);
    },
  };
}
