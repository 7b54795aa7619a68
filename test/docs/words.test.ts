import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const product = ["generator", "conformance", "rpc", "runtime", "web", "templates", "bin", "bench"];
const pages = [...product, "docs", "*.md"];
const everywhere = [...product, "test", "docs", "*.md"];

interface ForbiddenWord {
  /** As it stands in names, comments, messages or pages; letter case counts. */
  readonly word: RegExp;
  /** The standard word. */
  readonly instead: string;
  readonly folders: readonly string[];
  /** Files in which the word means something else. */
  readonly except?: Readonly<Record<string, string>>;
}

/** Former names, and words that hide the role that acts. Each has one standard word, which all files use. */
const forbidden: readonly ForbiddenWord[] = [
  {
    word: /\/\*\* What /,
    instead: "the thing by its name: `The options of …`, `The error that …`",
    folders: product,
    except: { "generator/emit/revisions/by-hand-stub.ts": "a sentence of a stub that people own" },
  },
  { word: /\bParcels?\b/, instead: "DeliveryJob", folders: everywhere },
  { word: /\brelayEvents\b/, instead: "publishBatch", folders: everywhere },
  { word: /\bappetite\b/i, instead: "backpressure", folders: everywhere },
  { word: /\bhungry\b/i, instead: "below the low-water mark", folders: everywhere },
  { word: /\bsettlements\b/i, instead: "outcome writer", folders: everywhere },
  { word: /\brequeue\b/i, instead: "redeliver", folders: everywhere },
  { word: /\bpromoteFirst\b/, instead: "releaseNextInOrder", folders: everywhere },
  { word: /\b(?:judgeAt|toJudge)\b/, instead: "reviewAt, dueForReview", folders: everywhere },
  { word: /\bhousekeeping\b/i, instead: "endpoint monitor", folders: everywhere },
  { word: /\bdialer\b/i, instead: "guarded connector", folders: product },
  { word: /\bEventWords\b/, instead: "EventTranslator", folders: everywhere },
  { word: /\blog mover\b|\bmove log\b/i, instead: "checkpointer", folders: everywhere },
  { word: /\bkept view\b/i, instead: "cached view", folders: everywhere },
  { word: /\bComingState\b/, instead: "OpenState", folders: everywhere },
  { word: /\bToldIn\b/, instead: "EventOrigin", folders: everywhere },
  { word: /\bforgetCaller\b/, instead: "invalidateCaller", folders: everywhere },
  { word: /\bkeepOnFailure\b/, instead: "commitOnFailure", folders: everywhere },
  { word: /\bcaller-directory\b/, instead: "caller cache", folders: everywhere },
  { word: /\bloose ?ends?\b/i, instead: "unused definitions", folders: everywhere },
  { word: /\bmeant-key\b/, instead: "suggest-key", folders: everywhere },
  { word: /\bprepare-in-full\b/, instead: "build-plan", folders: everywhere },
  { word: /\bset-aside\b/, instead: "archive-orphans", folders: everywhere },
  { word: /\bExpedition\b/, instead: "ExplorationContext", folders: everywhere },
  { word: /\b[Hh]opeless\b/, instead: "abortReason", folders: everywhere },
  { word: /\bSilences\b/, instead: "CircuitBreaker", folders: everywhere },
  { word: /\bmakeValue\b/, instead: "resolveValue", folders: everywhere },
  { word: /\bdoWrong\b/, instead: "sendInvalid", folders: everywhere },
  {
    word: /\b[Cc]atalogue\b/,
    instead: "codes (of diagnostics), rules (of diff), declared errors (of a spec)",
    folders: product,
  },
  { word: /\bstart-?faults?\b/i, instead: "startup-error", folders: product },
  { word: /\binvitation\b/i, instead: "welcome message", folders: product },
  { word: /\btrespass(?:es)?\b/i, instead: "accessForeign", folders: everywhere },
  { word: /\bfirst contact\b/i, instead: "preflight; before tuning (of a score)", folders: everywhere },
  { word: /\bwhat became of\b/i, instead: "the outcome of", folders: everywhere },
  {
    word: /\b(?:who(?:ever|soever)|somebody|someone|(?:any|every|no)body)\b|[a-z]Nobody/i,
    instead: "the role that acts: a caller, a reader, the operator, a person",
    folders: pages,
  },
  {
    word: /\btold\b|Told\b/,
    instead: "receives, learns, is distinguished (a role reads; software says nothing)",
    folders: pages,
  },
  { word: /\bun(?:said|told)\b/i, instead: "a name of what is absent", folders: pages },
  {
    word: /\brefusals?\b|Refusal/i,
    instead: "error, ErrorResponse, CallError, CredentialFault",
    folders: pages,
    except: {
      "conformance/exploration/changing.ts": "the id of a rule, by which reports and baselines know it",
      "conformance/exploration/rules.ts": "the same",
      "conformance/response/check-response.ts": "the id of a finding",
      "conformance/response/json-rpc-answer.ts": "the same",
      "docs/conformance.md": "the id of a rule",
      "CHANGELOG.md": "names a former name",
    },
  },
  {
    word: /\bjudg(?:e|es|ed|ing|ement|ements)\b|[Jj]udge[A-Z]|Judged/i,
    instead: "check, validate, verify",
    folders: pages,
    except: { "CHANGELOG.md": "names a former name" },
  },
  { word: /\brigs?\b|[a-z]Rigs?\b|\bRig(?!ht)[A-Z]/i, instead: "harness", folders: everywhere },
  {
    word: /\b(?:gist|heirs?|namesake|sieve|relieved|keeper|givers|nice(?:r|st)|disturbance|rush(?:ed)?)\b/i,
    instead:
      "the term of the trade: comparablePart, successor, filterKeys, ByteBuffer, injected fault, burst",
    folders: product,
  },
];

const files = globSync(
  everywhere.map((each) => (each.includes("*") ? each : `${each}/**/*.{ts,mjs,hbs,md}`)),
  {
    cwd: root,
    exclude: ["docs/interface/**", "test/cases/**", "**/node_modules/**", "**/dist/**"],
  },
).map((path) => path.replaceAll("\\", "/"));

test.for(forbidden.map((each) => [each.instead, each] as const))("%s has one word", ([, each]) => {
  const { word, folders, except = {} } = each;
  const inFolders = files.filter((path) =>
    folders.some((folder) => (folder === "*.md" ? !path.includes("/") : path.startsWith(`${folder}/`))),
  );
  const excepted = (path: string) => Object.keys(except).some((start) => path.startsWith(start));
  const found = inFolders
    .filter((path) => !excepted(path) && basename(path) !== "words.test.ts")
    .flatMap(usesOf(word));
  expect(found).toEqual([]);
});

test("a doc comment of several lines begins with its subject, not with `What`", () => {
  const code = files.filter(
    (path) => path.endsWith(".ts") && product.some((folder) => path.startsWith(`${folder}/`)),
  );
  expect(code.length).toBeGreaterThan(1_000);
  expect(code.filter((path) => /\/\*\*\n *\* What /.test(textOf(path)))).toEqual([]);
});

test("every exception is needed", () => {
  const unneeded = forbidden.flatMap(({ word, except = {} }) =>
    Object.keys(except).filter(
      (start) => !files.some((path) => path.startsWith(start) && usesOf(word)(path).length > 0),
    ),
  );
  expect(unneeded).toEqual([]);
});

/** `path:line word` for each use. */
function usesOf(word: RegExp) {
  return (path: string): readonly string[] =>
    textOf(path)
      .split("\n")
      .flatMap((line, at) => {
        const match = word.exec(line);
        return match === null ? [] : [`${path}:${at + 1} ${match[0]}`];
      });
}

const texts = new Map<string, string>();

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(root, path), "utf8");
  texts.set(path, text);
  return text;
}
