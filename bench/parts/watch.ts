import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseDocument, visit, type YAMLMap } from "yaml";
import { z } from "zod";
import { packedGenerator, project, serveEarlierRevision } from "../generate/project.ts";
import { figuresOf, type Figure } from "../harness/figures.ts";
import { spreadOf } from "../harness/statistics.ts";
import type { Part } from "./part.ts";

/** People do not save again at once, and the watch is idle when they do. */
const pauseMs = 300;
/** Edits of each project in a round. */
const editsPerRound = 4;

const projects = [
  { name: "the ledger spec", factor: 1, isServedEarlier: false, goalMs: 100 },
  {
    name: "the ledger spec, which serves an earlier revision",
    factor: 1,
    isServedEarlier: true,
    goalMs: 100,
  },
  { name: "50 times the ledger spec", factor: 50, isServedEarlier: false, goalMs: 300 },
] as const;

/**
 * `generate --watch` of the packed generator: milliseconds from the save of a file in which one field was edited to the
 * last file written. The clock starts before the save and stops at the time that the file system gives the last file.
 */
export const watch: Part = {
  name: "watch",
  title: "from the save of one field to the last file written, by generate --watch",
  measure: async ({ rounds, progress }) => {
    const program = packedGenerator();
    const watches: Watch[] = [];
    for (const { name, factor, isServedEarlier } of projects) {
      progress(`watch, starting: ${name}`);
      const folder = project(factor);
      if (isServedEarlier) serveEarlierRevision(folder);
      watches.push(await startWatch(name, program, folder));
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const each of watches) {
        progress(`watch, ${round === 0 ? "warming up" : `round ${round} of ${rounds}`}: ${each.name}`);
        await measureRound(each, round);
      }
    }
    for (const { child } of watches) {
      child.kill("SIGINT");
      await once(child, "close");
    }
    return figures(watches);
  },
};

interface Watch {
  readonly name: string;
  readonly folder: string;
  readonly child: ChildProcess;
  /** Files written by the next run, below the folder. Rejects with the diagnostics of one that failed. */
  next(): Promise<readonly string[]>;
  /** Milliseconds, a list a round. */
  readonly latencies: number[][];
}

const Round = z.object({
  ok: z.boolean(),
  interfaces: z.array(z.object({ written: z.array(z.string()) })),
  diagnostics: z.array(z.object({ message: z.string() })),
});

async function startWatch(name: string, program: string, folder: string): Promise<Watch> {
  const args = ["-c", "0-1023", process.execPath, program, "generate", "--watch", "--json"];
  const child = spawn("taskset", args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<readonly string[]> => {
    const { value } = await lines.next();
    const { ok, interfaces, diagnostics } = Round.parse(JSON.parse(String(value)));
    if (!ok) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
    return interfaces.flatMap(({ written }) => written);
  };
  await next();
  return { name, folder, child, next, latencies: [] };
}

async function measureRound({ folder, next, latencies }: Watch, round: number): Promise<void> {
  const found: number[] = [];
  for (let edit = 0; edit < editsPerRound; edit += 1) {
    const { path, text } = editedField(folder, round * editsPerRound + edit);
    await sleep(pauseMs);
    const savedAtMs = performance.timeOrigin + performance.now();
    writeFileSync(path, text);
    const written = await next();
    const lastAtMs = Math.max(...written.map((file) => writtenAtMs(join(folder, file))));
    found.push(lastAtMs - savedAtMs);
  }
  if (round > 0) latencies.push(found);
}

/** A rename is later than the last change of the text, and is what makes it visible. */
function writtenAtMs(path: string): number {
  const { mtimeMs, ctimeMs } = statSync(path);
  return Math.max(mtimeMs, ctimeMs);
}

/** The file of a spec with one field edited: by turns the text that describes it, and the length that it may have. */
function editedField(folder: string, count: number): { readonly path: string; readonly text: string } {
  const paths = globSync("spec/ledger/{types,methods}/**/*.yaml", { cwd: folder }).toSorted();
  // Far from the file before, so that each edit is of another part of the spec.
  for (let at = count * 7; ; at += 1) {
    const path = join(folder, paths[at % paths.length] ?? "");
    const document = parseDocument(readFileSync(path, "utf8"));
    const fields: YAMLMap[] = [];
    visit(document, { Map: (_, node) => void (isTextField(node) && fields.push(node)) });
    const field = fields[count % Math.max(1, fields.length)];
    if (field === undefined) continue;
    if (count % 2 === 0) field.set("doc", `Edited ${count}.`);
    else field.set("maxLength", 1_000 + count);
    return { path, text: document.toString() };
  }
}

/** A field of text that nothing else limits. */
function isTextField(node: YAMLMap): boolean {
  const isField = node.has("name") && node.get("type") === "string";
  return isField && !["const", "values", "format", "pattern"].some((key) => node.has(key));
}

function figures(watches: readonly Watch[]): readonly Figure[] {
  const goals = Object.fromEntries(
    projects.map(({ name, goalMs }) => [name, { of: "value", atMost: goalMs }] as const),
  );
  const rounds = new Map(
    watches.map(({ name, latencies }) => [name, latencies.map((each) => spreadOf(each).median)]),
  );
  return figuresOf({
    part: "generate --watch",
    measure: "one field, saved to written",
    unit: "ms",
    better: "lower",
    goals,
    rounds,
  });
}
