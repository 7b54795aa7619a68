import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runConform, type ConformOptions } from "../../conformance/index.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { stopSignal } from "../../conformance/base/stop-signal.ts";
import { emitter } from "../../generator/targets/conformance/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import type { ProjectConfig, SpecTarget } from "../../generator/cli/config.ts";
import { diskReader } from "../../generator/cli/disk-reader.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { reportFailure } from "../../generator/cli/report-failure.ts";
import { nameOf, selectSpecs, severalSpecs } from "../../generator/cli/select.ts";
import { countText } from "../../generator/cli/show-diagnostics.ts";
import { reached, type Terminal } from "../../generator/cli/terminal.ts";
import { build, builtParts } from "../built.ts";

export type Options = ConformOptions & { readonly config?: string; readonly spec?: string };

/** `ledger-rpc conform`: tries a running service with the suite of one interface of the project. */
export async function conform(options: Options, terminal: Terminal): Promise<number> {
  const { config: file, spec } = options;
  const named = omitUndefined({ spec: spec === undefined ? undefined : [spec], config: file });
  const selection = selectSpecs(named, terminal.cwd, "read");
  if (selection.kind === "refused")
    return reportFailure({ ...selection, exitCode: exitCode.usage }, terminal, false);
  const { config, targets } = selection;
  const target = targets.length === 1 ? targets[0] : targets.find((each) => nameOf(each.spec) === "ledger");
  if (target === undefined) {
    const message = severalSpecs(targets);
    return reportFailure({ message, diagnostics: [], exitCode: exitCode.usage }, terminal, false);
  }
  const folder = join(config.root, target.out, "conformance");
  const asked = { ...options, ...filesOf(options, terminal) };
  const parts = builtParts({ ...config, specs: [target] }, ["conformance"]);
  if (parts.length > 0) {
    terminal.progress("Building the suite …");
    const reason = await build(config, parts);
    terminal.progress("");
    if (reason !== undefined)
      return reportFailure({ message: reason, diagnostics: [], exitCode: exitCode.usage }, terminal, false);
  }
  if (existsSync(join(folder, "suite.json"))) return await runConform(folder, asked, terminal, stopSignal());
  return await conformToSpec(config, target, asked, terminal);
}

/** The files that the options name. */
function filesOf(options: ConformOptions, terminal: Terminal): Partial<ConformOptions> {
  const { access, baseline, junit, html, badge, capabilities, mail } = options;
  const files = Object.entries({ access, baseline, junit, html, badge, capabilities, mail });
  return Object.fromEntries(
    files.flatMap(([name, path]) => (path === undefined ? [] : [[name, reached(terminal, path)]])),
  );
}

/** Where the suite was not generated, it is made of the spec for this run. */
async function conformToSpec(
  config: ProjectConfig,
  { spec }: SpecTarget,
  options: ConformOptions,
  terminal: Terminal,
): Promise<number> {
  const { value: model, diagnostics } = loadServiceModel(spec, diskReader(config.root));
  if (model === undefined) {
    // Nothing was tried: 1 would say that the service does not conform.
    const failure = { message: countText(diagnostics), diagnostics, exitCode: exitCode.usage };
    return reportFailure(failure, terminal, false);
  }
  const root = mkdtempSync(join(tmpdir(), "ledger-rpc-conform-"));
  try {
    for (const { path, text } of emitter.emit(model, { out: "", handlers: "", contract: "" })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await runConform(join(root, "conformance"), options, terminal, stopSignal());
  } finally {
    rmSync(root, { recursive: true });
  }
}
