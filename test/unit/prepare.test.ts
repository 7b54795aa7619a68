import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../generator/cli/config.ts";
import { prepare, rememberPrepared, type Prepared } from "../../generator/cli/prepare.ts";
import { writePrepared } from "../../generator/cli/write-prepared.ts";
import { createProject, repository } from "../e2e-generator/project.ts";

const notes = "spec/notes/notes.yaml";

test.for([
  ["left alone", (text: string) => text, 1],
  ["saved in the middle of a run", (text: string) => text.replace("A note.", "One note."), 0],
] as const)("a spec that is %s: whether the next run takes it for done", async ([, edit, done]) => {
  const project = createProject(join(repository, "test/cases/generate/base"));
  try {
    const { value: config } = loadConfig(join(project.root, "ledger-rpc.yaml"));
    if (config === undefined) throw new Error("the base case has no config");
    const prepared = (): Promise<readonly Prepared[]> => prepare(config, config.specs, () => undefined);
    const run = await prepared();
    project.write(notes, edit(project.read(notes)));
    const onWritten = (each: Prepared): void => rememberPrepared(config, each);
    expect(writePrepared(config, run, () => undefined, onWritten).failed).toBe(false);
    const upToDate = (await prepared()).filter((each) => each.upToDate !== undefined);
    expect(upToDate).toHaveLength(done);
  } finally {
    project.dispose();
  }
});

test("a generated file that is edited before the run is remembered is put right by the next", async () => {
  const project = createProject(join(repository, "test/cases/generate/base"));
  try {
    const { value: config } = loadConfig(join(project.root, "ledger-rpc.yaml"));
    if (config === undefined) throw new Error("the base case has no config");
    const prepared = (): Promise<readonly Prepared[]> => prepare(config, config.specs, () => undefined);
    const onWritten = (each: Prepared): void => {
      const edited = `${each.target.out}/types.ts`;
      project.write(edited, `${project.read(edited)}// Edited.\n`);
      rememberPrepared(config, each);
    };
    writePrepared(config, await prepared(), () => undefined, onWritten);
    expect((await prepared()).filter((each) => each.upToDate !== undefined)).toEqual([]);
  } finally {
    project.dispose();
  }
});
