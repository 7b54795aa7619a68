import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { stopSignal } from "../../conformance/base/stop-signal.ts";
import type { ProjectConfig, SpecTarget } from "../../generator/cli/config.ts";
import { diskReader, readGuides } from "../../generator/cli/disk-reader.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { createFileEvents } from "../../generator/cli/file-events.ts";
import { reportFailure } from "../../generator/cli/report-failure.ts";
import { nameOf, selectSpecs, type SpecOptions } from "../../generator/cli/select.ts";
import { countText, showDiagnostics } from "../../generator/cli/show-diagnostics.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import { type Diagnostic, hasErrors } from "../../generator/language/diagnostics/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { projectFolder, reasonOf } from "../../generator/output/index.ts";
import { copyTemplate, fillPage } from "../../generator/print/template.ts";
import { listOwned, writeOwned } from "../write-owned.ts";
import { siteFiles, withPictures } from "./index.ts";
import { tryPages } from "./try-pages.ts";

export interface DocsOptions extends SpecOptions {
  readonly out: string;
  readonly watch?: true;
  readonly try?: true;
  readonly versions?: true;
}

/** `ledger-rpc docs`: the reference pages, in a folder of their own. */
export async function docs(options: DocsOptions, terminal: Terminal): Promise<number> {
  const selection = selectSpecs(options, terminal.cwd, "read");
  if (selection.kind === "refused")
    return reportFailure({ ...selection, exitCode: exitCode.usage }, terminal, false);
  const { config, targets } = selection;
  const buildAll = () => targets.map((target) => build(config, target, options, terminal));
  if (options.watch !== true)
    return buildAll().every(({ isWritten }) => isWritten) ? exitCode.ok : exitCode.failed;
  const stop = stopSignal();
  const events = createFileEvents();
  const follow = (folders: readonly string[]): void =>
    events.follow({ folders: folders.map((folder) => join(config.root, folder)), files: [] });
  let folders: readonly string[] = targets.map(({ spec }) => spec);
  let built: string | undefined;
  try {
    // Followed before they are read: nothing that is saved meanwhile is missed.
    follow(folders);
    while (!stop.aborted) {
      const seen = events.count;
      const texts = textsIn(folders, config);
      // An editor's own files come and go beside a spec, and one save makes several events.
      if (texts !== built) {
        built = texts;
        folders = buildAll().flatMap((each) => each.folders);
        follow(folders);
        terminal.note("Waiting for a spec to be saved. Stop with Ctrl-C.");
      }
      await events.after(seen, stop);
    }
    return exitCode.ok;
  } finally {
    events.close();
  }
}

/** The texts of specs, to be compared. */
function textsIn(folders: readonly string[], { root }: ProjectConfig): string {
  const read = diskReader(root);
  return JSON.stringify(
    [...new Set(folders)].map((folder) => read(folder)?.map(({ path, text }) => [path, text])),
  );
}

interface Built {
  readonly isWritten: boolean;
  /** The spec folders that were read. */
  readonly folders: readonly string[];
}

function build(config: ProjectConfig, target: SpecTarget, options: DocsOptions, terminal: Terminal): Built {
  const name = nameOf(target.spec);
  const folders: string[] = [];
  const read = diskReader(config.root);
  terminal.progress(`${name}: reading …`);
  const { value: model, diagnostics } = loadServiceModel(target.spec, (folder) => {
    folders.push(folder);
    return read(folder);
  });
  if (model === undefined || hasErrors(diagnostics)) {
    showOutcome(diagnostics, `${countText(diagnostics)}: the pages of ${name} stay as they are`, terminal);
    return { isWritten: false, folders: [...folders, target.spec] };
  }
  terminal.progress(`${name}: printing …`);
  const project = projectFolder(config.root);
  const { guides, files } = withPictures(project, readGuides(project, target));
  const isVersioned = options.versions === true;
  const texts = siteFiles(model, { ...(options.try === true && { tried: tryPages }), guides, isVersioned });
  const pages = new Map<string, string | Uint8Array>([...texts, ...files]);
  const site = resolve(config.root, options.out, model.name);
  const folder = isVersioned ? join(site, model.revision) : site;
  let foreign: string | undefined;
  try {
    foreign = writeOwned(config.root, folder, pages);
    if (isVersioned) foreign ??= writeVersions(config.root, site, model.title);
  } catch (error) {
    const message = `${relative(terminal.cwd, site)} cannot be written: ${reasonOf(error)}`;
    showOutcome([], message, terminal);
    return { isWritten: false, folders };
  }
  if (foreign !== undefined) {
    const path = relative(terminal.cwd, foreign);
    showOutcome(
      [],
      `${path} was not written by \`ledger-rpc docs\`: move it, or choose another folder with --out`,
      terminal,
    );
    return { isWritten: false, folders };
  }
  showOutcome(
    diagnostics,
    `${model.name}: ${pages.size} files. Open ${relative(terminal.cwd, join(site, "index.html"))}`,
    terminal,
  );
  return { isWritten: true, folders };
}

function showOutcome(diagnostics: readonly Diagnostic[], message: string, terminal: Terminal): void {
  terminal.progress("");
  showDiagnostics(diagnostics, terminal);
  terminal.print(message);
}

const newestFirst = new Intl.Collator("en", { numeric: true });

/**
 * Writes what leads from revision to revision: `index.html` opens the newest, and `versions.js` gives every page of
 * every revision links to the others. The revisions are the folders that `docs --versions` made, today or earlier.
 * Gives a file that is in the way.
 */
function writeVersions(project: string, site: string, title: string): string | undefined {
  const revisions = readdirSync(site, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d+\.\d+\.\d+$/.test(entry.name))
    .map(({ name }) => [name, listOwned(join(site, name)).filter((path) => path.endsWith(".html"))] as const)
    .filter(([name]) => existsSync(join(site, name, "index.html")))
    .toSorted(([one], [other]) => newestFirst.compare(other, one));
  const [newest = ["", []]] = revisions;
  const script = `window.revisions = ${JSON.stringify(revisions)};\n${copyTemplate("reference/assets/versions.js")}`;
  const files = { "index.html": fillPage("versions", { title, revision: newest[0] }), "versions.js": script };
  return writeOwned(project, site, new Map(Object.entries(files)));
}
