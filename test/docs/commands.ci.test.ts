import { globSync, readFileSync, type Dirent } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runProgram } from "../../generator/cli/program.ts";
import { run as runServer } from "../../ledger/cli/program.ts";
import { settingsOf } from "../../runtime/operations/config/index.ts";
import { application } from "../../ledger/application.ts";

const settings = settingsOf(application);

const root = join(import.meta.dirname, "../..");
/** Shows commands of an earlier commit. */
const former = "docs/upgrading.md";
const pages = globSync(["README.md", "docs/**/*.md"], { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((page) => page !== former);
const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

type Program = "ledger-rpc" | "ledger-server";

/** A command as a page shows it: its words up to what the shell makes of the rest. */
interface Shown {
  readonly page: string;
  readonly program: Program;
  readonly words: readonly string[];
}

/** The commands of a page's blocks for a shell, and those that stand alone between backquotes. */
function commandsOf(page: string): readonly Shown[] {
  const text = textOf(page);
  const blocks = [...text.matchAll(/^ *```(\w*)[^\n]*\n(.*?)^ *```/gms)].flatMap(([, language, block = ""]) =>
    ["", "sh", "bash", "text"].includes(language ?? "") ? [block] : [],
  );
  const prose = text.replaceAll(/^ *```.*?^ *```/gms, "");
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  const shown = /(?:^|[\s(])(?:npm run )?(ledger-rpc|ledger-server)(?: --)? ([a-z-][^\n|;&>)]*)/g;
  return [...blocks.map((block) => block.replaceAll(/ \\\n */g, " ")), ...quoted].flatMap((code) =>
    [...code.matchAll(shown)].map(([, program, rest = ""]) => ({
      page,
      program: program === "ledger-rpc" ? program : "ledger-server",
      words: rest.replace(/ #.*| {3}.*|`.*/, "").match(/"(?:\\.|[^"\\])*"|'[^']*'|\S+/g) ?? [],
    })),
  );
}

const commands = pages.flatMap(commandsOf);
const helps = new Map<string, string>();

/** The help of a command, in this process. */
async function helpOf(program: Program, path: readonly string[]): Promise<string> {
  const key = [program, ...path].join(" ");
  const kept = helps.get(key);
  if (kept !== undefined) return kept;
  let help = "";
  const writing = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    help += String(text);
    return true;
  });
  const complaining = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { exitCode } = process;
  const exiting = vi.spyOn(process, "exit").mockImplementation(() => {
    throw new Error("exit");
  });
  try {
    if (program === "ledger-rpc") await runProgram([...path, "--help"]);
    else await runServer(["node", program, ...path, "--help"]).catch(() => undefined);
  } finally {
    writing.mockRestore();
    exiting.mockRestore();
    complaining.mockRestore();
    process.exitCode = exitCode;
  }
  helps.set(key, help);
  return help;
}

/** The names of commands that a help lists. */
function commandsIn(help: string): readonly string[] {
  return help
    .split("\n\n")
    .filter((part) => !/^(?:Usage|Arguments|Options|Examples?|Environment|Exit)/.test(part))
    .flatMap((part) => [...part.matchAll(/^ {2}([a-z][\w-]*)(?:\|[\w-]+)?(?= |$)/gm)])
    .map(([, name = ""]) => name);
}

/** The parts of a shown command that the program does not know. */
async function unknownOf({ program, words }: Shown): Promise<readonly string[]> {
  const [first = "", second = ""] = words;
  if (first.startsWith("-")) return [];
  if (!commandsIn(await helpOf(program, [])).includes(first)) return [first];
  const subcommands = commandsIn(await helpOf(program, [first]));
  const isGroup = subcommands.includes("help");
  if (isGroup && /^[a-z]/.test(second) && !subcommands.includes(second)) return [`${first} ${second}`];
  const help = await helpOf(program, isGroup && /^[a-z]/.test(second) ? [first, second] : [first]);
  const options = words.flatMap((word) => /^(--[a-z][\w.-]*)/.exec(word)?.[1] ?? []);
  return options.filter(
    (option) => !new RegExp(`^ +(?:-\\w, )?${RegExp.escape(option)}(?=[ ,]|$)`, "m").test(help),
  );
}

describe("commands that documents show", () => {
  beforeAll(() => expect(commands.length).toBeGreaterThan(100));

  test.each(pages)("%s names commands and options that there are", async (page) => {
    const unknown: string[] = [];
    for (const command of commands.filter((each) => each.page === page))
      for (const name of await unknownOf(command))
        unknown.push(`${command.program} ${command.words.join(" ")}: ${name}`);
    expect(unknown).toEqual([]);
  });

  test("ports are those of the service, or given to something", () => {
    const texts = pages.map(textOf).join("\n");
    const given = [...texts.matchAll(/(?:PORT=|PORT: |listen\(|--port[ =]|http\.server )(\d{4,5})/g)];
    const known = new Set([
      ...settings.flatMap(({ sandbox }) => (typeof sandbox === "number" ? String(sandbox) : [])),
      ...given.map(([, port = ""]) => port),
      // PostgreSQL, OpenTelemetry, a project that init writes, a receiver, the mock, and what nothing listens on.
      "5432",
      "4318",
      "3000",
      "8000",
      "9400",
      "9",
    ]);
    const named = [...texts.matchAll(/(?:127\.0\.0\.1|localhost):(\d+)/g)].map(([, port = ""]) => port);
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((port) => !known.has(port))).toEqual([]);
  });
});

test("Node has the options that pages and files of deploy/ start it with", () => {
  const files = [...pages, ...globSync("deploy/**/*", { cwd: root, withFileTypes: true }).flatMap(pathOf)];
  const started = /NODE_OPTIONS="?([^"`\n]+)|\bnode((?: --[\w=:./<>…-]+)+)/g;
  const options = files.flatMap((file) =>
    [...textOf(file).matchAll(started)].flatMap(([, set = "", given = ""]) =>
      (`${set}${given}`.match(/(?<=^|\s)--[\w-]+/g) ?? []).map((option) => [file, option] as const),
    ),
  );
  expect(options.length).toBeGreaterThan(5);
  expect(options.filter(([, option]) => !nodeOptions.has(option))).toEqual([]);
});

/** Those that `NODE_OPTIONS` takes. */
const nodeOptions = process.allowedNodeEnvironmentFlags;

function pathOf(entry: Dirent): readonly string[] {
  return entry.isFile() ? [relative(root, join(entry.parentPath, entry.name))] : [];
}
