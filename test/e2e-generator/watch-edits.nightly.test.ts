import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { stringify } from "yaml";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepare } from "../../generator/cli/prepare.ts";
import { selectSpecs } from "../../generator/cli/select.ts";
import { createSession } from "../../generator/cli/watch/session.ts";
import { writePrepared, writtenJson, type Written } from "../../generator/cli/write-prepared.ts";
import { fc, runs } from "../seed.ts";
import { editableSpec, specEdits, type EditableSpec } from "./preservation/spec-edits.ts";
import { repository } from "./project.ts";

/**
 * After every save, a watch leaves the files and says the things that a process would which has just begun.
 * `TEST_EFFORT=40 npm run unit -- test/e2e-generator/watch-edits.nightly.test.ts` tries more saves.
 */
const saves = runs(6);

let watched: string;
let fresh: string;
beforeEach(() => {
  watched = mkdtempSync(join(tmpdir(), "ledger-rpc-watched-"));
  fresh = mkdtempSync(join(tmpdir(), "ledger-rpc-fresh-"));
});
afterEach(() => {
  for (const root of [watched, fresh]) rmSync(root, { recursive: true, force: true });
});

interface Step {
  readonly kind: number;
  readonly what: number;
  readonly numbers: readonly number[];
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.nat(99),
  what: fc.nat(9_999),
  numbers: fc.array(fc.nat(9_999), { minLength: 4, maxLength: 4 }),
});

/** The spec as files by path, and what is written of it otherwise than it says. */
interface State {
  readonly spec: EditableSpec;
  /** Lines in front of each file. */
  readonly comment: string;
  /** Whether the files list their entries the other way round. */
  readonly isReversed: boolean;
  /** Whether its sections are in smaller files. */
  readonly isSplit: boolean;
  /** Text at the end of a file of types, which may not be YAML. */
  readonly ending: string;
}

const endings = [
  "  : : {",
  "  Extra: &extra { type: string, doc: Named by an anchor. }\n  Other: *extra\n",
  "  Lost: { type: NoSuchType, doc: Refers to nothing. }\n",
  "  Added: { fields: [{ name: id, type: string, doc: Its id. }], doc: Nothing uses it. }\n",
  "---\ntypes: {}\n",
];

/** The next state: most saves change what the spec says, others how it is written, or break it. */
function stateAfter(state: State, { kind, what, numbers }: Step): State {
  const mended = { ...state, ending: "" };
  if (kind < 30) return { ...mended, spec: edited(state.spec, what, numbers) };
  if (kind < 60) return { ...mended, spec: withTypeEdited(state.spec, what, numbers) };
  if (kind < 68) return { ...mended, comment: `# Saved ${what} times.\n`.repeat(1 + (what % 3)) };
  if (kind < 76) return { ...mended, isReversed: !state.isReversed };
  if (kind < 84) return { ...mended, isSplit: !state.isSplit };
  return { ...state, ending: endings[what % endings.length] ?? "" };
}

function edited(spec: EditableSpec, what: number, numbers: readonly number[]): EditableSpec {
  const next = structuredClone(spec);
  next.count += 1;
  let at = 0;
  const pick = <T>(items: readonly T[]): T | undefined =>
    items[(numbers[at++ % numbers.length] ?? 0) % Math.max(items.length, 1)];
  specEdits[what % specEdits.length]?.apply(next, pick);
  return next;
}

/** Types of files that do not change refer to it, and so do methods. */
function withTypeEdited(spec: EditableSpec, what: number, [at = 0]: readonly number[]): EditableSpec {
  const next = structuredClone(spec);
  next.count += 1;
  const all = Object.entries(Object(next.sections["types"]));
  const methods: readonly unknown[] = Object.values(Object(next.sections["methods"]));
  // Half of the time one whose fields a method takes or gives as its own.
  const named = new Set(methods.flatMap((method) => [Object(method).payload, Object(method).result]));
  const types = what % 2 === 0 ? all.filter(([name]) => named.has(name)) : all;
  const type = Object(types[at % types.length]?.[1]);
  const name = `added${next.count}`;
  if (Array.isArray(type.enum)) type.enum.push({ value: name, doc: "New." });
  else if (!Array.isArray(type.fields) || what % 3 === 0) type.doc = `Said ${next.count} times.`;
  else if (what % 3 === 1) type.fields.push({ name, type: "string", doc: "New.", optional: true });
  else type.fields.at(-1).doc = `A field, said ${next.count} times.`;
  return next;
}

function filesOf({ spec, comment, isReversed, isSplit, ending }: State): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [section, content] of Object.entries(spec.sections)) {
    const entries = Object.entries(Object(content));
    const ordered = isReversed && section !== "interface" ? entries.toReversed() : entries;
    const size = section === "interface" ? ordered.length : isSplit ? 7 : 20;
    for (let first = 0; first < ordered.length; first += size) {
      const part = Object.fromEntries(ordered.slice(first, first + size));
      const text = stringify({ [section]: part }, { aliasDuplicateObjects: false });
      const end = section === "types" && first === 0 ? ending : "";
      files.set(`spec/ledger/${section}/${first}.yaml`, comment + text + end);
    }
  }
  return files;
}

/** Writes what has changed, as an editor does. */
function save(root: string, files: ReadonlyMap<string, string>): void {
  const folder = "spec/ledger";
  const before = existsSync(join(root, folder)) ? treeOf(join(root, folder)) : new Map<string, string>();
  for (const path of before.keys()) if (!files.has(`${folder}/${path}`)) rmSync(join(root, folder, path));
  for (const [path, text] of files) {
    if (before.get(relative(folder, path)) === text) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function treeOf(root: string): ReadonlyMap<string, string> {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith(".cache"))
      .toSorted()
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}

/** The files as they are, in a new folder, and what a process makes of them that remembers nothing. */
async function coldRun(): Promise<object> {
  rmSync(fresh, { recursive: true });
  cpSync(watched, fresh, { recursive: true, filter: (path) => !path.endsWith(".cache") });
  const selection = selectSpecs({ config: join(fresh, "ledger-rpc.yaml") }, fresh);
  if (selection.kind === "refused") throw new Error(selection.message);
  const { config, targets } = selection;
  const prepared = await prepare(config, targets, () => undefined);
  return said(
    writePrepared(
      config,
      prepared,
      () => undefined,
      () => undefined,
    ),
  );
}

function said(written: Written): object {
  return JSON.parse(
    JSON.stringify(writtenJson(written), (key, value: unknown) => (key === "elapsedMs" ? 0 : value)),
  );
}

test("what a watch leaves after a save is what a new process leaves", async () => {
  const specs = [{ spec: "spec/ledger", out: "generated/ledger", handlers: "handlers/ledger" }];
  cpSync(join(repository, "runtime/contract"), join(watched, "runtime/contract"), { recursive: true });
  writeFileSync(
    join(watched, "ledger-rpc.yaml"),
    stringify({ specs, contract: "runtime/contract/index.ts" }),
  );
  const first: State = {
    spec: editableSpec(repository, "spec/ledger"),
    comment: "",
    isReversed: false,
    isSplit: false,
    ending: "",
  };
  save(watched, filesOf(first));
  const selection = selectSpecs({ config: join(watched, "ledger-rpc.yaml") }, watched);
  if (selection.kind === "refused") throw new Error(selection.message);
  const session = await createSession({ config: join(watched, "ledger-rpc.yaml") }, selection);
  let state = first;
  const [steps = []] = fc.sample(fc.array(step, { minLength: saves, maxLength: saves, size: "max" }), 1);
  for (const each of [undefined, ...steps]) {
    if (each !== undefined) state = stateAfter(state, each);
    save(watched, filesOf(state));
    const wanted = await coldRun();
    const round = await session.round(session.look());
    expect({ said: said(round), step: each }).toEqual({ said: wanted, step: each });
    const [left, expected] = [treeOf(watched), treeOf(fresh)];
    expect([...left.keys()]).toEqual([...expected.keys()]);
    for (const [path, text] of expected) if (left.get(path) !== text) expect(left.get(path), path).toBe(text);
  }
});
