import { expect, test } from "vitest";
import { emitter } from "../../generator/targets/client/index.ts";
import { libraryLayout, libraryModel } from "../unit/emit-library-model.ts";
import { compile, createProject } from "../unit/emit-project.ts";

test("the client of another interface compiles for Node, and for browsers that know nothing of Node", async () => {
  const project = await createProject(emitter.emit(libraryModel(), libraryLayout));
  try {
    expect(await compile(project.root, ["generated"])).toBe("");
    const browser = { lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"], types: [] };
    expect(await compile(project.root, ["generated"], browser)).toBe("");
  } finally {
    await project.remove();
  }
});
