import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import { beforeAll, describe, expect, test } from "vitest";
import { formatPatterns } from "../../generator/language/formats.ts";
import { foundExpressions, type FoundExpressions } from "./regular-expressions-found.ts";

/**
 * Every regular expression that texts of strangers reach matches in a time that grows with the text alone. Verdicts of
 * the checker are kept by expression in regular-expressions.json, because some take it a minute; one that is not there
 * is checked at once. To have the new ones kept and the old ones dropped:
 *
 *   UPDATE_EXPECTED=1 npx vitest run test/unit/regular-expressions.ci.test.ts
 *
 * With `RECHECK_ALL=1` all are checked again.
 */
const file = join(import.meta.dirname, "regular-expressions.json");
const update = process.env["UPDATE_EXPECTED"] === "1";

const ofPages = "the modules of our own pages, read once";

/** Expressions that the checker finds slow, or does not understand, and why they may stand. */
const exceptions: Readonly<Record<string, string>> = {
  "/\\s+as\\s+/": ofPages,
  "/^(?:import\\s[^;]*[\"']\\.{1,2}\\/|export\\s).*/m": ofPages,
  "/^(?:import|export)\\b[^\"';]*?[\"'](\\.{1,2}\\/[^\"']+)[\"'];/gm": ofPages,
  "/^export\\s+(?:\\*(?:\\s*as\\s+(\\w+))?|\\{([^}]*)\\})\\s*from\\s*[\"'](\\.[^\"']+)[\"'];/gm": ofPages,
  "/^export\\s+\\{([^}]*)\\};/gm": ofPages,
  "/^import\\s+(?:\\*\\s*as\\s+(\\w+)|\\{([^}]*)\\})\\s*from\\s*[\"'](\\.[^\"']+)[\"'];/gm": ofPages,
  "/\\b\\d{1,15}:[0-9a-f]{64}\\b/g": "from each place it reads 80 characters at most",
  '/(?:\\n|\\\\n)(?:[\\t ]|\\\\t)+at |node_modules|Error:|\\bSELECT\\b[^"]{1,200}\\bFROM\\b|\\bINSERT INTO\\b|\\bUPDATE\\b[^"]{1,200}\\bSET\\b|\\bDELETE FROM\\b|SQLITE_|constraint failed/':
    "from each place it reads 210 characters at most, from a line end those that are blank",
  "/([?&;])([\\w.%-]{1,64})=([^&;#\\s\"'<>`]+)/g":
    "from each place it reads a name of 64 characters at most, and no value twice",
  "/:\\/\\/?[^\\s/?#@:\"'<>`]{0,200}:(?!\\d{1,5}[/?#])[^\\s\"'<>`]{0,200}@/g":
    "from each place it reads 400 characters at most",
  "/\\/*$/": "the base URL, which the program that uses the client sets itself",
  "/.{1,64}/g":
    "base64 of a key that the client made: 124 characters; linear as measured, 8,000 line ends in 0.01 ms",
  "/('\"\\$\\(printf %s .*? \\| openssl base64 -A\\)\"')/": "a command that the suite wrote itself",
  "/^-----BEGIN ([A-Z0-9 ]+)-----\\r?\\n(?:[A-Za-z0-9+/]+\\r?\\n)*[A-Za-z0-9+/]+={0,2}\\r?\\n-----END \\1-----(?:\\r?\\n)?$/u":
    "linear as measured on the checker's own attack: 2,019, 4,019 and 8,019 characters in 0.08, 0.02 and 0.05 ms",
  [String(new RegExp(formatPatterns.url, "u"))]:
    "linear as measured on the checker's own attack: 4,000, 40,000 and 400,000 characters in 0.02, 0.13 and 1.9 ms",
  "/^(?!(?:__proto__|constructor|prototype)$)[^\\u0000-\\u001f\\u007f]+$/u":
    "linear as measured on the checker's own attack: 4,000, 40,000 and 400,000 characters in 0.04, 0.08 and 0.78 ms",
};

/** Expressions that are put together when they are used, and from what. */
const made: Readonly<Record<string, string>> = {
  'new RegExp(requestId, "u")': "`requestId` of a spec, whose patterns the generator checks: pattern-slow",
  'new RegExp(transport.requestId, "u")':
    "`requestId` of an operation, whose patterns the generator checks: pattern-slow",
  "new RegExp(`\\\\b${name}\\\\b`)": "the name of a table of this service",
  'new RegExp(shape.pattern, "u")': "a pattern of the spec, which the generator checked (pattern-slow)",
  'new RegExp(String(given), "u")': "written in a scenario of the suite",
  'new RegExp(expression, "u")': "written in a scenario of the suite",
  'new RegExp(source, "u")': "a pattern of the spec, which the generator checked (pattern-slow)",
  'new RegExp(`^${characterClass}$`, "u")': "one class of a pattern of the spec, held against one character",
  "new RegExp(`(?<![A-Za-z0-9_])${code}(?![A-Za-z0-9_])`)": "a code of the spec: letters and digits alone",
  'new RegExp(\n    String.raw`("(?:${names.join("|")})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.e+-]*)`,\n    "gi",\n  )':
    "names of fields of the spec: letters and digits alone, each between quotes",
  'new RegExp(String.raw`${name}\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|[^\\s,}]*)`, "g")':
    "the name of a member, escaped; what follows is linear as written out for `id`",
  'new RegExp(`${writtenName(frame.id)}:\\\\s*"[^"]*"`, "g")':
    "the name of a member, escaped; what follows is linear as written out for `id`",
};

let found: FoundExpressions;
let checked: Record<string, string>;

beforeAll(async () => {
  found = foundExpressions();
  const kept: Record<string, string> =
    process.env["RECHECK_ALL"] === "1" ? {} : JSON.parse(readFileSync(file, "utf8"));
  const verdicts = await Promise.all(
    found.literals.map(
      async ({ literal }) => [literal, kept[literal] ?? (await verdictOn(literal))] as const,
    ),
  );
  checked = Object.fromEntries(verdicts);
  if (update) writeFileSync(file, `${JSON.stringify(checked, null, 2)}\n`);
});

/** `linear`, or what the checker says against it. */
async function verdictOn(literal: string): Promise<string> {
  const end = literal.lastIndexOf("/");
  // Without a limit of time: on a busy machine that would be the verdict.
  const verdict = await check(literal.slice(1, end), literal.slice(end + 1), { timeout: null });
  if (verdict.status === "safe") return "linear";
  if (verdict.status === "unknown") return `unknown: ${verdict.error.kind}`;
  return `${verdict.complexity.summary}: ${verdict.attack.pattern}`;
}

describe("regular expressions that strangers' texts reach", () => {
  test("are linear, or there is a reason why they need not be", () => {
    const slow = found.literals
      .filter(({ literal }) => checked[literal] !== "linear" && exceptions[literal] === undefined)
      .map(({ literal, place }) => `${place}: ${literal} is ${checked[literal]}`);
    expect(slow).toEqual([]);
  });

  test("are written out, or made of what is known to be sound", () => {
    const unknown = found.made.filter(({ literal }) => made[literal] === undefined);
    expect(unknown).toEqual([]);
  });

  test("have no reason left from one that is gone", () => {
    const literals = new Set(found.literals.map(({ literal }) => literal));
    expect(Object.keys(exceptions).filter((literal) => !literals.has(literal))).toEqual([]);
    const calls = new Set(found.made.map(({ literal }) => literal));
    expect(Object.keys(made).filter((call) => !calls.has(call))).toEqual([]);
  });
});

describe("the check itself", () => {
  test.each([
    ['/^\\s*(?<name>keyId)\\s*=\\s*(?<value>[^",]*)\\s*$/', "polynomial"],
    ["/^(a+)+$/", "exponential"],
    ["/^a+$/", "linear"],
  ])("%s is %s", async (literal, expected) => {
    expect(await verdictOn(literal)).toContain(expected);
  });

  test("finds the expressions of sources, schemas and specs", () => {
    const places = found.literals.map(({ place }) => place);
    for (const part of ["runtime/transport/", "generated/", "conformance/", "spec/"])
      expect(places.filter((place) => place.startsWith(part))).not.toEqual([]);
    expect(places.length).toBeGreaterThan(100);
  });
});
