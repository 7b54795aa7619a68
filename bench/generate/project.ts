import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { temporaryFolder } from "../harness/processes.ts";
import { repository } from "../harness/service.ts";
import { replicated } from "./replicated.ts";

/** The generator as its users install it: compiled, in a folder of its own. Gives its program. */
export function packedGenerator(): string {
  const out = temporaryFolder();
  const { status, stderr } = spawnSync(process.execPath, ["bin/pack.ts", "generator", "--out", out], {
    cwd: repository,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  symlinkSync(join(repository, "node_modules"), join(out, "node_modules"));
  return join(out, "ledger-rpc/generator/cli/main.js");
}

/** A project with the ledger spec, replicated, and all targets or those named. Gives its folder. */
export function project(factor: number, targets?: readonly string[]): string {
  const folder = temporaryFolder();
  cpSync(join(repository, "runtime/contract"), join(folder, "runtime/contract"), { recursive: true });
  const source = join(repository, "spec/ledger");
  const files = globSync("**/*.yaml", { cwd: source }).map((path) => {
    return { path, content: parse(readFileSync(join(source, path), "utf8")) };
  });
  for (const { path, content } of replicated(files, factor)) {
    const target = join(folder, "spec/ledger", path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, stringify(content));
  }
  const specs = [{ spec: "spec/ledger", out: "generated/ledger", handlers: "handlers/ledger" }];
  writeFileSync(
    join(folder, "ledger-rpc.yaml"),
    stringify({ specs, contract: "runtime/contract/index.ts", ...(targets && { targets }) }),
  );
  return folder;
}

/** Lets the spec of a project serve the revision that it has, too: the next one is published. */
export function serveEarlierRevision(folder: string): void {
  const file = join(folder, "spec/ledger/interface.yaml");
  const content = parse(readFileSync(file, "utf8"));
  const { revision } = content.interface;
  const later = revision.replace(/\d+$/, (last: string) => String(Number(last) + 1));
  cpSync(join(folder, "spec/ledger"), join(folder, "spec/earlier"), { recursive: true });
  const serves = [{ revision, spec: "../earlier" }];
  const next = { ...content, interface: { ...content.interface, revision: later, serves } };
  writeFileSync(file, stringify(next));
}
