import { describe, expect, test } from "vitest";
import {
  changelogText,
  diffModels,
  renderTerminal,
  rules,
  versionAdvice,
  wholeInterface,
  type Change,
} from "../../generator/diff/index.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import {
  diffCase,
  diffCases,
  expectedTexts,
  libraryWith,
  revisionsOf,
  writeExpected,
  type Fragment,
} from "./diff-cases.ts";

const update = process.env["UPDATE_EXPECTED"] === "1";
const ids = [...rules.keys()];

describe("a change is recognised and said", () => {
  test.each([...diffCases.keys()])("%s", (name) => {
    expect(printedOf(name)).toBe(expectedTexts.get(name));
  });

  test.runIf(update)("what is said is written down", () => {
    writeExpected(printedOf);
  });

  test("what is expected is of cases that there are", () => {
    expect([...expectedTexts.keys()].filter((name) => !diffCases.has(name))).toEqual([]);
  });

  test("every rule has a case that shows it, and every other case is a scenario", () => {
    expect(ids.filter((id) => expectedTexts.get(id)?.includes(` ${id} `) !== true)).toEqual([]);
    const others = [...diffCases.keys()].filter((name) => !rules.has(name));
    expect(others.filter((name) => !name.startsWith("scenario-"))).toEqual([]);
  });

  test("nothing that applies to no fact is said", () => {
    expect(
      [...expectedTexts]
        .filter(([, text]) => /undefined|``|  of | , |\[object/.test(text.replaceAll(/^ +/gm, "")))
        .map(([name]) => name),
    ).toEqual([]);
  });
});

function printedOf(name: string): string {
  const { old, new: recent } = diffCase(name);
  return `${printedFor(modelOf(old), modelOf(recent))}\n`;
}

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

/** What users of the client read of the change of a case. */
function changelogOf(name: string): string {
  return changelogText(diffModels(...revisionsOf(name)));
}

test("the changelog of a client has every deprecation, also one that raises the last number alone", () => {
  expect(changelogOf("deprecated-added")).toMatch(
    /^### Deprecated\n\n- .+ is deprecated: .+ Callers should move on: /,
  );
  expect(changelogOf("deprecated-changed")).toMatch(/^### Deprecated\n\n- .+ Callers should move on: /);
  expect(changelogOf("deprecated-removed")).toMatch(
    /^### Deprecated\n\n- .+ is no longer deprecated\. Callers may stay\./,
  );
});

test("the changelog of a client leaves out what its users would not notice", () => {
  expect(changelogOf("doc-changed")).toBe("Nothing that callers or receivers would notice.");
});
