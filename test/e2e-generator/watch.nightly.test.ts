import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../until.ts";
import { createProject, repository, type Project } from "./project.ts";
import { startWatching, type Watching, type WatchLine } from "./watching.ts";

const notes = "spec/notes/notes.yaml";
const getNote = "handlers/notes/note-service/get-note.ts";
const manifest = "generated/notes/manifest.json";

let project: Project;
let watching: Watching;
beforeEach(() => {
  project = createProject(join(repository, "test/cases/generate/base"));
  watching = startWatching(project.root);
});
afterEach(async () => {
  await watching.stop("SIGTERM");
  project.dispose();
});

const write = (path: string, text: string): void => project.replace(path, text);
const save = (find: string, by: string): void => write(notes, edited(find, by));
const edited = (find: string, by: string): string => {
  const text = project.read(notes);
  if (!text.includes(find)) throw new Error(`${notes} does not contain ${find}`);
  return text.replace(find, by);
};
const written = ({ interfaces }: WatchLine): readonly string[] => interfaces.flatMap((each) => each.written);
const codes = ({ diagnostics }: WatchLine): readonly string[] => diagnostics.map(({ code }) => code);
const upToDate = async (): Promise<void> => {
  const { exitCode, stdout } = await project.run(["check"]);
  expect(stdout).toMatch(/^notes: \d+ files up to date\n$/);
  expect(exitCode).toBe(0);
};
const config = "ledger-rpc.yaml";
/**
 * The rounds until all that was saved has been noticed, and the files that they name. Files may be replaced one by
 * one, in the middle of a save; the round of a save of the config comes after those.
 */
const settled = async () => {
  write(config, `${project.read(config)}# Saved.\n`);
  const rounds: WatchLine[] = [];
  const noticed = () => new Set(rounds.flatMap(({ changed }) => changed ?? []).map(({ path }) => path));
  while (!noticed().has(config)) rounds.push(await watching.next());
  return {
    rounds,
    last: rounds.at(-1),
    noticed: [...noticed()].filter((path) => path !== config).toSorted(),
  };
};

test("an edit of one field writes what follows from it, and nothing else", async () => {
  expect(await watching.next()).toMatchObject({ kind: "started", ok: true });
  const before = project.state();
  save("doc: Identifier of the note.", "doc: Which note.");
  const round = await watching.next();
  expect(round).toMatchObject({ kind: "round", ok: true, changed: [{ path: notes, kind: "changed" }] });
  const after = project.state();
  const touched = [...after].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
  expect(touched.filter((path) => path !== notes)).toEqual([...written(round)].toSorted());
  expect(touched).toContain("generated/notes/types.ts");
  expect(touched).toContain(manifest);
  expect(touched).not.toContain("generated/notes/errors.ts");
  expect(touched.filter((path) => /validators|handlers/.test(path))).toEqual([]);
  await upToDate();
});

test("a broken spec keeps the last good output, until it is good again", async () => {
  await watching.next();
  const good = project.read(notes);
  const before = project.state();
  write(notes, `${good}  : : {`);
  const broken = await watching.next();
  expect(broken).toMatchObject({ ok: false, interfaces: [] });
  expect(codes(broken)).toContain("yaml-syntax");
  write(notes, good.replace("result: Note", "result: Noted"));
  expect(codes(await watching.next())).toContain("unknown-type");
  const kept = [...before].filter(([path]) => path !== notes);
  expect([...project.state()].filter(([path]) => path !== notes)).toEqual(kept);
  write(notes, good.replace("doc: A note.", "doc: One note."));
  const recovered = await watching.next();
  expect(recovered.ok).toBe(true);
  expect(written(recovered)).toContain("generated/notes/types.ts");
  await upToDate();
});

test("a method that is added gets a stub, one that is renamed takes its body along", async () => {
  await watching.next();
  write(getNote, project.read(getNote).replace("throw", "// mine\n  throw"));
  const added = `  NoteService.DropNote:\n    doc: Drops a note.\n    effect: set\n    auth: [credential, signature, keyId]\n    payload:\n      fields:\n        - { name: id, type: string, doc: Its identifier. }\n    result: Note\n`;
  write(notes, project.read(notes) + added);
  expect(written(await watching.next())).toContain("handlers/notes/note-service/drop-note.ts");
  save("NoteService.GetNote:", "NoteService.FindNote:\n    renamedFrom: NoteService.GetNote");
  const round = await watching.next();
  expect(round.interfaces[0]?.moved).toEqual([
    { from: getNote, to: "handlers/notes/note-service/find-note.ts" },
  ]);
  expect(project.read("handlers/notes/note-service/find-note.ts")).toContain("// mine\n  throw");
  await upToDate();
});

test("what is saved while a run is under way is not forgotten, and no handler is lost", async () => {
  await watching.next();
  for (const number of [1, 2, 3, 4, 5, 6]) {
    write(notes, project.read(notes).replace(/doc: (?:A note|Note \d)\./, `doc: Note ${number}.`));
    write(getNote, `${project.read(getNote)}// saved ${number}\n`);
    // A file of the round is there: the next save comes before the round has ended.
    await until(() => project.read("generated/notes/types.ts").includes(`Note ${number}.`));
  }
  for (const number of [1, 2, 3, 4, 5, 6]) expect(project.read(getNote)).toContain(`// saved ${number}\n`);
  while (!project.read(manifest).includes("handlers")) await watching.next();
  await watching.stop();
  expect(watching.unread.filter(({ ok }) => !ok)).toEqual([]);
  await upToDate();
});

test("however an editor saves, it is noticed once", async () => {
  await watching.next();
  const path = join(project.root, notes);
  const temporary = join(project.root, "spec/notes/.notes.yaml.swp");

  writeFileSync(temporary, edited("doc: A note.", "doc: Replaced."));
  renameSync(temporary, path);
  expect((await watching.next()).changed).toEqual([{ path: notes, kind: "changed" }]);

  renameSync(path, `${path}~`);
  writeFileSync(path, project.read(`${notes}~`).replace("doc: Replaced.", "doc: Backed up first."));
  rmSync(`${path}~`);
  expect(await settled()).toMatchObject({ last: { ok: true }, noticed: [notes] });

  project.write(
    "spec/notes/errors.yaml",
    project.read("spec/notes/interface.yaml").replace(/^[^]*?(?=^errors:)/m, ""),
  );
  project.write(
    "spec/notes/interface.yaml",
    project.read("spec/notes/interface.yaml").replace(/^errors:[^]*/m, ""),
  );
  const split = await settled();
  expect(split).toMatchObject({
    last: { ok: true },
    noticed: ["spec/notes/errors.yaml", "spec/notes/interface.yaml"],
  });
  expect(split.rounds.flatMap(written)).toEqual([]);

  const folder = join(project.root, "spec/notes");
  cpSync(folder, join(project.root, "elsewhere"), { recursive: true });
  rmSync(folder, { recursive: true });
  expect((await settled()).last).toMatchObject({ ok: false, message: "1 error in the config" });
  cpSync(join(project.root, "elsewhere"), folder, { recursive: true });
  expect((await settled()).last).toMatchObject({ ok: true });
  save("doc: Backed up first.", "doc: In a new folder.");
  expect(written(await watching.next())).toContain("generated/notes/types.ts");

  rmSync(join(folder, "errors.yaml"));
  expect(await watching.next()).toMatchObject({ ok: false });
  cpSync(join(project.root, "elsewhere/errors.yaml"), join(folder, "errors.yaml"));
  expect((await settled()).last).toMatchObject({ ok: true });
  rmSync(join(project.root, "elsewhere"), { recursive: true });
  await upToDate();
});

test("the config is followed too", async () => {
  await watching.next();
  const text = project.read(config);
  write(config, text.replace("out:", "output:"));
  expect(codes(await watching.next())).toContain("config-unknown-key");
  write(config, text.replace("generated/notes", "made/notes").replace("handlers/notes", "bodies/notes"));
  expect(written(await watching.next())).toContain("made/notes/types.ts");
  await upToDate();
});

test("a target of the project is followed with its folder", async () => {
  await watching.next();
  project.write("package.json", '{ "type": "module" }');
  project.write("emitters/title.js", 'export const title = (model) => model.title + "\\n";\n');
  const emit = 'emit: (model, { out }) => [{ path: out + "/about/title.txt", text: title(model) }]';
  project.write(
    "emitters/about.js",
    `import { title } from "./title.js";\nexport const emitter = { name: "about", ${emit} };\n`,
  );
  write(config, `${project.read(config)}targets: [types, ./emitters/about.js]\n`);
  await settled();
  expect(project.read("generated/notes/about/title.txt")).toBe("Notes\n");
  write("emitters/title.js", "export const title = (model) => `The ${model.title}`;\n");
  expect(written(await watching.next())).toContain("generated/notes/about/title.txt");
  expect(project.read("generated/notes/about/title.txt")).toBe("The Notes");
  write("emitters/title.js", "export const title = () => none;\n");
  expect(codes(await watching.next())).toEqual(["emitter-failed"]);
  expect(project.read("generated/notes/about/title.txt")).toBe("The Notes");
});

test("Ctrl-C ends it well; --prune does not go with it", async () => {
  await watching.next();
  expect(await watching.stop("SIGINT")).toBe(0);
  const { exitCode, stderr } = await project.run(["generate", "--watch", "--prune"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("cannot be used with option '--prune'");
});
