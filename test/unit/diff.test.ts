import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  diffModels,
  renderTerminal,
  rules,
  versionAdvice,
  wholeInterface,
  type Change,
} from "../../generator/diff/index.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import { casesFolder, fragmentIn, libraryWith, type Fragment } from "./diff-cases.ts";

const update = process.env["UPDATE_EXPECTED"] === "1";
const names = globSync("*/", { cwd: casesFolder }).filter((name) => name !== "base" && name !== "lively");
const ids = [...rules.keys()];

describe("a change is recognised and said", () => {
  test.each(names)("%s", (name) => {
    const folder = join(casesFolder, name);
    const [old, recent] = ["old", "new"].map((side) => fragmentIn(join(folder, side)));
    const printed = `${printedFor(modelOf(old), modelOf(recent))}\n`;
    const expectedFile = join(folder, "expected.txt");
    if (update) writeFileSync(expectedFile, printed);
    expect(existsSync(expectedFile)).toBe(true);
    expect(printed).toBe(readFileSync(expectedFile, "utf8"));
  });

  test("every rule has a case that shows it, and every other case is a scenario", () => {
    const shown = ids.filter((id) => {
      const file = join(casesFolder, id, "expected.txt");
      return existsSync(file) && readFileSync(file, "utf8").includes(` ${id} `);
    });
    expect(ids.filter((id) => !shown.includes(id))).toEqual([]);
    expect(names.filter((name) => !rules.has(name) && !name.startsWith("scenario-"))).toEqual([]);
  });

  test("nothing that applies to no fact is said", () => {
    const texts = names.map((name) => readFileSync(join(casesFolder, name, "expected.txt"), "utf8"));
    expect(
      texts.filter((text) => /undefined|``|  of | , |\[object/.test(text.replaceAll(/^ +/gm, ""))),
    ).toEqual([]);
  });
});

function modelOf(fragment: Fragment | undefined): ServiceModel | undefined {
  return fragment === undefined ? undefined : libraryWith(fragment);
}

function changesBetween(old: ServiceModel | undefined, recent: ServiceModel | undefined): readonly Change[] {
  if (old !== undefined && recent !== undefined) return diffModels(old, recent);
  return old === undefined
    ? recent === undefined
      ? []
      : [wholeInterface("interface-added", recent)]
    : [wholeInterface("interface-removed", old)];
}

function printedFor(old: ServiceModel | undefined, recent: ServiceModel | undefined): string {
  const changes = changesBetween(old, recent);
  const [before, now] = [old?.revision ?? "none", recent?.revision ?? "none"];
  return renderTerminal({
    failOn: "breaking",
    failed: false,
    specs: [
      {
        name: "library",
        interfaceName: "library",
        old: { label: "old", revision: before },
        new: { label: "new", revision: now },
        changes,
        version: versionAdvice(changes, old === undefined ? "0.0.0" : old.revision),
      },
    ],
  });
}
