import { describe, expect, test } from "vitest";
import { digestOf } from "../../generator/output/digest.ts";
import { findHandlerPaths, type Candidate } from "../../generator/output/handlers/handler-paths.ts";
import type { HandlerEntry } from "../../generator/output/manifest.ts";

const wantedStub = "export const findNote: FindNoteHandler<Contexts> = async () => {\n};\n";
const oldStub = "export const getNote: GetNoteHandler<Contexts> = async () => {\n};\n";
const work = "export const getNote = async () => mine;\n";

const known = entry("known.ts", oldStub);
const guessed = entry("guessed.ts", "");

describe("the home of a method that was renamed", () => {
  test("is where its name says that work lies, rather than where a stub was written", () => {
    expect(homeOf({ former: [known, guessed] }, { "known.ts": oldStub, "guessed.ts": work })).toBe(
      "guessed.ts",
    );
  });

  test("is what is known, where both hold work", () => {
    expect(homeOf({ former: [known, guessed] }, { "known.ts": work, "guessed.ts": work })).toBe("known.ts");
  });

  test("is the stub that was written for it, where there is nothing else", () => {
    expect(homeOf({ former: [known] }, { "known.ts": oldStub })).toBe("known.ts");
  });

  test("takes no stub from elsewhere where it has one", () => {
    const files = { "known.ts": oldStub, "find-note.ts": wantedStub };
    expect(homeOf({ former: [known] }, files)).toBe("find-note.ts");
    expect(homeOf({ own: entry("find-note.ts", wantedStub), former: [known] }, files)).toBe("find-note.ts");
  });

  test("takes work over a stub, and not over work", () => {
    expect(homeOf({ former: [guessed] }, { "guessed.ts": work, "find-note.ts": wantedStub })).toBe(
      "guessed.ts",
    );
    expect(homeOf({ former: [guessed] }, { "guessed.ts": work, "find-note.ts": work })).toBe("find-note.ts");
  });
});

/** Where the handler of a method that belongs into `find-note.ts` is found. */
function homeOf(
  lies: Pick<Candidate, "own" | "former">,
  texts: Readonly<Record<string, string>>,
): string | undefined {
  const wanted = {
    method: "FindNote",
    stub: {
      path: "handlers/find-note.ts",
      ownership: "stub",
      text: wantedStub,
      digest: digestOf(wantedStub),
    },
    parts: { export: "findNote", type: "FindNoteHandler" },
    entry: entry("find-note.ts", wantedStub),
  } as const;
  const files = new Map(
    Object.entries(texts).map(([path, text]) => [`handlers/${path}`, Buffer.from(text)] as const),
  );
  return findHandlerPaths([{ wanted, ...lies }], files, "handlers")[0]?.from.slice("handlers/".length);
}

function entry(file: string, stub: string): HandlerEntry {
  return { file, export: "getNote", type: "GetNoteHandler", stub: stub === "" ? "" : digestOf(stub) };
}
