import { expect, test } from "vitest";
import { runProgram } from "../../generator/cli/program.ts";
import { processSurroundings } from "../../generator/cli/terminal.ts";

const program = await helpOf();
const commands = [...program.matchAll(/^ {2}([a-z]+) .*\S/gm)]
  .map(([, name]) => name ?? "")
  .filter((name) => name !== "help");

test("the help of the program fits 80 columns and names every command", () => {
  expect(linesOver80(program)).toEqual([]);
  expect(commands).toEqual(expect.arrayContaining(["init", "generate", "conform", "explain"]));
});

test.each(commands)(
  "the help of %s fits 80 columns, and its examples are of options that there are",
  async (name) => {
    const help = await helpOf(name);
    expect(linesOver80(help)).toEqual([]);
    const [options = "", examples = ""] = help.split("\nExamples:\n");
    const own = examples.match(/^ {2}\$ (?:[A-Z_]+=\S+ )?ledger-rpc .*(?:\\\n.*)*/gm) ?? [];
    expect(own.length).toBeGreaterThan(0);
    expect(own.join("\n").match(/--[a-z-]+/g) ?? []).toSatisfy((used: readonly string[]) =>
      used.every((option) => new RegExp(`^ {2}(-.*, )?${option}\\b`, "m").test(options)),
    );
  },
);

/** `explain` cannot fail otherwise than by a code that there is not. */
test.each(commands.filter((name) => name !== "explain"))(
  "the help of %s says its exit codes",
  async (name) => {
    expect(await helpOf(name)).toMatch(
      /\n\nExit codes:\n {2}0 {2}.+\n(.+\n)* {2}1 {2}.+\n(.+\n)* {2}2 {2}.+\n(.+\n)*$/,
    );
  },
);

async function helpOf(...command: readonly string[]): Promise<string> {
  let text = "";
  const stdout = {
    write(part: string) {
      text += part;
    },
  };
  expect(await runProgram([...command, "--help"], { ...processSurroundings(), stdout })).toBe(0);
  return text;
}

function linesOver80(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.length > 80);
}
