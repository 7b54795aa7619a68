/**
 * `node bench/generate.ts [runs]`: how long `ledger-rpc generate` takes as its user starts it, a new process each
 * time. Both specs of the repository: into an empty folder, and with nothing to do; and the ledger spec alone, as it
 * is and replicated 10 and 50 times, with the exponent of the growth (1 is linear). Medians.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { replicated } from "./generate/replicated.ts";

const repository = join(import.meta.dirname, "..");
const program = join(repository, "generator/cli/main.ts");
const runs = Number(process.argv[2] ?? 5);

const root = mkdtempSync(join(tmpdir(), "ledger-rpc-bench-"));
try {
  const both = project("both", ["ledger", "operator"]);
  row("both specs, empty output folder", both, median(both, clean), 1.5);
  row("both specs, nothing to do", both, median(both), 0.4);
  row("both specs, nothing to do, no memory of the last run", both, median(both, forget));
  const sizes = [1, 10, 50].map((factor) => {
    const folder = project(`times-${factor}`, ["ledger"], factor);
    const seconds = median(folder, clean, factor === 50 ? 1 : runs);
    row(`ledger spec ×${factor}, empty output folder`, folder, seconds);
    row(`ledger spec ×${factor}, nothing to do`, folder, median(folder, undefined, factor === 50 ? 1 : runs));
    return { factor, seconds };
  });
  for (const [at, { factor, seconds }] of sizes.entries()) {
    const before = sizes[at - 1];
    if (before === undefined) continue;
    const exponent = Math.log(seconds / before.seconds) / Math.log(factor / before.factor);
    console.log(`growth ×${before.factor} → ×${factor}: exponent ${exponent.toFixed(2)} (1 is linear)`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

function project(name: string, specs: readonly string[], factor = 1): string {
  const folder = join(root, name);
  mkdirSync(folder);
  symlinkSync(join(repository, "runtime"), join(folder, "runtime"));
  for (const spec of specs) copySpec(folder, spec, factor);
  const targets = specs.map((spec) => ({
    spec: `spec/${spec}`,
    out: `generated/${spec}`,
    handlers: `handlers/${spec}`,
  }));
  writeFileSync(
    join(folder, "ledger-rpc.yaml"),
    stringify({ specs: targets, contract: "runtime/contract/index.ts" }),
  );
  return folder;
}

function copySpec(folder: string, spec: string, factor: number): void {
  const source = join(repository, "spec", spec);
  const target = join(folder, "spec", spec);
  if (factor === 1) {
    cpSync(source, target, { recursive: true });
    return;
  }
  const files = globSync("**/*.yaml", { cwd: source }).map((path) => ({
    path,
    content: parse(readFileSync(join(source, path), "utf8")),
  }));
  for (const { path, content } of replicated(files, factor)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), stringify(content));
  }
}

/** Seconds of a run, in the middle of several; `prepare` goes before each. */
function median(folder: string, prepare?: (folder: string) => void, count = runs): number {
  if (prepare === undefined) run(folder);
  const seconds = Array.from({ length: count }, () => {
    prepare?.(folder);
    return run(folder);
  });
  return seconds.toSorted((a, b) => a - b)[Math.floor(count / 2)] ?? 0;
}

function run(folder: string): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [program, "generate"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return (performance.now() - startedAt) / 1000;
}

function clean(folder: string): void {
  for (const path of ["generated", "handlers", ".cache"])
    rmSync(join(folder, path), { recursive: true, force: true });
}

function forget(folder: string): void {
  rmSync(join(folder, ".cache"), { recursive: true, force: true });
}

function row(what: string, folder: string, seconds: number, goal?: number): void {
  const files = globSync("generated/**/*.*", { cwd: folder }).length;
  const judged = goal === undefined ? "" : `  goal ${goal} s: ${seconds <= goal ? "met" : "MISSED"}`;
  console.log(
    `${what.padEnd(52)} ${seconds.toFixed(2).padStart(6)} s  ${String(files).padStart(5)} files${judged}`,
  );
}
