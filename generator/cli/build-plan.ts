import { diagnosticOf, hasErrors, inReadingOrder, type Diagnostic } from "../language/diagnostics/index.ts";
import {
  loadEmitters,
  onePerItem,
  sharedNames,
  wantedEmitters,
  type EmitLayout,
  type Emitter,
  type FileDraft,
} from "../targets/index.ts";
import { createModelLoader, sharedModel, type ServiceModel } from "../model/index.ts";
import { UnparsableDraft } from "../output/format.ts";
import type { ProjectFolder, RenderedFile, WritePlan } from "../output/index.ts";
import { plan } from "../output/plan.ts";
import { createRender } from "../output/render.ts";
import { prints } from "../targets/prints.ts";
import { sourceText, type SourceText } from "../language/source/index.ts";
import { generatorVersion } from "./generator-digest.ts";
import { EmitterFailed, type ProjectEmitters } from "./project-emitters.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";

/** Begins a run over the spec files as they are in `specs`; `folder` has the files that it would write. */
export type FullPreparer = (
  folder: ProjectFolder,
  specs: ProjectFolder,
  options: { readonly prune: boolean },
) => PrepareSpec;

/** From text to plan, for one spec. A run reads each spec folder once, also where several specs use it. */
export type PrepareSpec = (
  spec: string,
  layout: EmitLayout,
  onStage: (stage: "printing" | "comparing") => void,
  of: {
    /** Folders whose calls are held against the spec. */
    readonly calls: readonly string[];
    /** The modules of the project that print it. */
    readonly own: ProjectEmitters;
  },
) => Promise<Preparation>;

export interface Preparation {
  readonly folders: readonly string[];
  /** Absent where a mistake was found. */
  readonly plan?: WritePlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** Targets that are named, and that write nothing of an interface. */
function unprinted(
  emitters: readonly Emitter[],
  model: ServiceModel,
  { targets = [] }: EmitLayout,
): readonly Diagnostic[] {
  const { span, wire } = model;
  return emitters
    .filter((emitter) => targets.includes(emitter.name) && !prints(emitter, model))
    .map(({ name }) => ({
      ...diagnosticOf(
        "target-unprinted",
        { target: name, protocol: wire.protocol },
        { path: span.source.path },
      ),
      span,
    }));
}

/** One for several runs reads, prints and formats again only what is not as it was the last time. */
export async function createPreparer(): Promise<FullPreparer> {
  const emitters = await loadEmitters();
  const printers = new Map<string, ReturnType<typeof createPrinter>>();
  const printerOf = (spec: string) => {
    const printer =
      printers.get(spec) ??
      createPrinter(function* (model, layout, own) {
        for (const emitter of chosen(emitters, model, layout, own))
          if (layout.built?.includes(emitter.name) !== true) yield* emitter.emit(model, layout);
      });
    printers.set(spec, printer);
    return printer;
  };
  const problemsOf = (model: ServiceModel, layout: EmitLayout, own: ProjectEmitters) =>
    onePerItem([
      ...sharedNames(model),
      ...chosen(emitters, model, layout, own).flatMap((emitter) => emitter.check?.(model) ?? []),
    ]);
  const models = new Map<string, ServiceModel>();
  const textOf = createTexts();
  return (folder, specs, { prune }) => {
    const source = specSource(specs, textOf);
    const loadModel = createModelLoader(source.read);
    const prepareSpec: PrepareSpec = async (spec, layout, onStage, { calls, own }) => {
      const { value: loaded, diagnostics } = loadModel(spec);
      const found = [...diagnostics, ...source.ignored(spec), ...own.diagnostics];
      // A folder that two specs use is read once, so each counts all that were read so far as its own.
      const folders = [...source.folders, ...calls];
      if (loaded === undefined) return { folders, diagnostics: found };
      const last = models.get(spec);
      const model = last === undefined ? loaded : sharedModel(last, loaded);
      models.set(spec, model);
      onStage("printing");
      // Places are right in the model that was just read.
      if (problemsOf(model, layout, own).length > 0) found.push(...problemsOf(loaded, layout, own));
      if (hasErrors(found)) return { folders, diagnostics: inReadingOrder(found) };
      found.push(...unprinted(emitters, loaded, layout));
      if (calls.length > 0) found.push(...(await callsOf(loaded, specs, calls)));
      const rendered = await printerOf(spec)(model, layout, own);
      onStage("comparing");
      const request = { folder, layout, model, rendered, generatorVersion: generatorVersion(), prune };
      const planned = await plan(request);
      return omitUndefined({
        folders,
        plan: planned.value,
        diagnostics: [...inReadingOrder(found), ...planned.diagnostics],
      });
    };
    return reporting(prepareSpec, source.folders);
  };
}

/** What the calls in these folders of code do not fit. Reading them takes a compiler, which few runs need. */
async function callsOf(
  model: ServiceModel,
  files: ProjectFolder,
  folders: readonly string[],
): Promise<readonly Diagnostic[]> {
  const { checkCalls } = await import("../calls/check-calls.ts");
  const paths = folders.flatMap((folder) => files.list(folder)).filter((path) => /\.[cm]?[jt]s$/.test(path));
  return checkCalls(
    model,
    paths.map((path) => sourceText(path, files.read(path)?.toString() ?? "")),
  );
}

/** The emitters whose files an interface gets, or that check its spec. */
function chosen(
  emitters: readonly Emitter[],
  model: ServiceModel,
  { targets, built = [] }: EmitLayout,
  own: ProjectEmitters,
): readonly Emitter[] {
  const named = targets && [...targets, ...built, ...own.modules.keys()];
  return wantedEmitters([...emitters, ...own.emitters], named).filter((emitter) => prints(emitter, model));
}

/** The same, with what an emitter of the project throws as a diagnostic. */
function reporting(prepareSpec: PrepareSpec, folders: ReadonlySet<string>): PrepareSpec {
  return async (spec, layout, onStage, of) => {
    try {
      return await prepareSpec(spec, layout, onStage, of);
    } catch (cause) {
      const failure = cause instanceof UnparsableDraft ? failedBy(cause, layout, of.own) : cause;
      if (!(failure instanceof EmitterFailed)) throw cause;
      return { folders: [...folders], diagnostics: [failure.diagnostic] };
    }
  };
}

/** The failure of the project's emitter that printed a file; undefined for one of ours, which is a bug. */
function failedBy(
  { path, message }: UnparsableDraft,
  { out }: EmitLayout,
  { modules }: ProjectEmitters,
): EmitterFailed | undefined {
  const printedBy = [...modules].find(([name]) => path.startsWith(`${out}/${name}/`));
  return printedBy === undefined ? undefined : new EmitterFailed(printedBy[1], message);
}

/** From model to files; a model that says the same comes to the same. */
function createPrinter(
  emit: (model: ServiceModel, layout: EmitLayout, own: ProjectEmitters) => Iterable<FileDraft>,
) {
  const render = createRender();
  let last: Printed | undefined;
  return async (model: ServiceModel, layout: EmitLayout, own: ProjectEmitters) => {
    const layoutText = JSON.stringify(layout);
    if (last?.model !== model || last.layoutText !== layoutText || last.own !== own)
      last = {
        model,
        layoutText,
        own,
        rendered: await render(withExtension(withoutBodies(emit(model, layout, own), layout), layout)),
      };
    return last.rendered;
  };
}

/** The drafts without those of the folder of handlers, where there is none. */
function withoutBodies(drafts: Iterable<FileDraft>, { handlers, handlersElsewhere }: EmitLayout) {
  if (handlersElsewhere !== true) return drafts;
  return Iterator.from(drafts).filter(({ path }) => !path.startsWith(`${handlers}/`));
}

/** The drafts with the imports that the project's compiler takes. */
function withExtension(drafts: Iterable<FileDraft>, { importExtension }: EmitLayout): Iterable<FileDraft> {
  if (importExtension === undefined) return drafts;
  return Iterator.from(drafts).map((draft) =>
    draft.path.endsWith(".ts")
      ? {
          ...draft,
          text: draft.text.replaceAll(
            /((?:from |import\(|import )"\.[^"\n]*)\.ts"/g,
            `$1${importExtension}"`,
          ),
        }
      : draft,
  );
}

interface Printed {
  readonly model: ServiceModel;
  readonly own: ProjectEmitters;
  readonly layoutText: string;
  readonly rendered: readonly RenderedFile[];
}

type TextOf = (path: string, text: string) => SourceText;

/** Source texts by what they are: one that is known is not read, parsed and checked again. */
function createTexts(): TextOf {
  const texts = new Map<string, SourceText>();
  return (path, text) => {
    const known = texts.get(path);
    if (known?.text === text) return known;
    const source = sourceText(path, text);
    texts.set(path, source);
    return source;
  };
}

function specSource(specs: ProjectFolder, textOf: TextOf) {
  const folders = new Set<string>();
  return {
    folders,
    /** The spec files of a folder; undefined if it does not exist. */
    read(path: string): readonly SourceText[] | undefined {
      folders.add(path);
      const files = specs.list(path).filter((file) => file.endsWith(".yaml"));
      if (files.length === 0) return undefined;
      return files.map((file) => textOf(file, specs.read(file)?.toString() ?? ""));
    },
    /** Files that look like part of a spec and are not. */
    ignored(path: string): readonly Diagnostic[] {
      const files = specs.list(path).filter((file) => /\.ya?ml$/i.test(file) && !file.endsWith(".yaml"));
      return files.map((file) => diagnosticOf("spec-file-ignored", {}, { path: file }));
    },
  };
}
