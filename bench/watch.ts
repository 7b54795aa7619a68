/**
 * `node bench/watch.ts [edits]`: how long `ledger-rpc generate --watch` takes from the save of a spec file to the last
 * file written, for edits of one field each, the specs of this repository being watched. The clock starts before the
 * save and stops at the time that the file system gives the last file (its clock ticks every few milliseconds).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const repository = join(import.meta.dirname, "..");
const edits = Number(process.argv[2] ?? 24);
const goalMs = 150;
/** People do not save again at once, and the watch is idle when they do. */
const pauseMs = 300;

const Round = z.object({
  kind: z.string(),
  ok: z.boolean(),
  interfaces: z.array(z.object({ written: z.array(z.string()) })),
  diagnostics: z.array(z.object({ message: z.string() })),
});

const root = mkdtempSync(join(tmpdir(), "ledger-rpc-bench-"));
try {
  symlinkSync(join(repository, "runtime"), join(root, "runtime"));
  for (const spec of ["ledger", "operator", "partner"])
    cpSync(join(repository, "spec", spec), join(root, "spec", spec), { recursive: true });
  const config = readFileSync(join(repository, "ledger-rpc.yaml"), "utf8");
  writeFileSync(join(root, "ledger-rpc.yaml"), config.replaceAll("runtime/handlers", "handlers"));
  await measure();
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const program = join(repository, "generator/cli/main.ts");
  const child = spawn(process.execPath, [program, "generate", "--watch", "--json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await lines.next();
    const round = Round.parse(JSON.parse(String(value)));
    if (!round.ok) throw new Error(round.diagnostics.map(({ message }) => message).join("\n"));
    return round.interfaces.flatMap(({ written }) => written);
  };
  await next();
  const results = [];
  for (const { path, field, text } of fieldEdits()) {
    await sleep(pauseMs);
    const savedAtMs = performance.timeOrigin + performance.now();
    writeFileSync(join(root, path), text);
    const written = await next();
    const lastAtMs = Math.max(...written.map((file) => writtenAtMs(join(root, file))));
    results.push({ path, field, files: written.length, latencyMs: lastAtMs - savedAtMs });
  }
  child.kill("SIGINT");
  await once(child, "close");
  for (const { path, field, files, latencyMs } of results)
    console.log(`${`${path} ${field}`.padEnd(64)} ${String(files).padStart(3)} files  ${ms(latencyMs)}`);
  row(
    "saved to written",
    results.map(({ latencyMs }) => latencyMs),
  );
}

/** A rename is later than the last change of the text, and is what makes it visible. */
function writtenAtMs(path: string): number {
  const { mtimeMs, ctimeMs } = statSync(path);
  return Math.max(mtimeMs, ctimeMs);
}

/** Edits of different fields all over both specs: of what is said of them, and of what they may hold. */
function* fieldEdits() {
  const fields = globSync("spec/*/{types,methods}/**/*.yaml", { cwd: root })
    .toSorted()
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), "utf8").split("\n");
      return lines.flatMap((line, at) => {
        const field = /\{ name: (\w+), type: string, (?!const|maxLength)/.exec(line)?.[1];
        return field === undefined ? [] : [{ path, field, at }];
      });
    });
  for (let count = 0; count < edits; count += 1) {
    const edited = fields[Math.floor((count * fields.length) / edits)];
    if (edited === undefined) throw new Error("there are not so many fields");
    const { path, field, at } = edited;
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    const line = lines[at] ?? "";
    const changed =
      count % 2 === 0
        ? line.replace("doc: ", "doc: Edited. ")
        : line.replace("type: string, ", `type: string, maxLength: ${1000 + count}, `);
    yield { path, field, text: lines.with(at, changed).join("\n") };
  }
}

function row(what: string, latenciesMs: readonly number[]): void {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const verdict = `goal ${goalMs} ms: ${median <= goalMs ? "met" : "MISSED"}`;
  const [min = 0, max = 0] = [sorted[0], sorted.at(-1)];
  console.log(
    `${what}: median ${ms(median)}, min ${ms(min)}, max ${ms(max)} of ${sorted.length} edits; ${verdict}`,
  );
}

function ms(value: number): string {
  return `${value.toFixed(0).padStart(4)} ms`;
}
