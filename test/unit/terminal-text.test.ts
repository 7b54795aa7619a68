import { spawnSync } from "node:child_process";
import { join } from "node:path";
import pc from "picocolors";
import { expect, test } from "vitest";
import { ownColor, terminalText as ofTools } from "../../conformance/base/terminal-text.ts";
import { terminalIn } from "../../generator/cli/terminal.ts";
import { createColors } from "../../generator/language/diagnostics/colors.ts";
import { terminalText as ofServer } from "../../runtime/operations/log/terminal-text.ts";

const turning = [
  0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068,
  0x2069,
];
/** What a service, a database or a spec may say to a terminal. */
const hostile = [
  ...Array.from({ length: 32 }, (_, code) => code).filter((code) => code !== 9 && code !== 10),
  ...Array.from({ length: 33 }, (_, code) => 0x7f + code),
  ...turning,
].map((code) => String.fromCharCode(code));
const all = `${hostile.join("x")}\u001b[31mred\u001b[2J\u001b]0;title\u0007`;

test.each([
  ["the tools", ofTools],
  ["the server", ofServer],
])("%s show every character that steers a terminal as an escape", (_, terminalText) => {
  const shown = terminalText(all);
  for (const character of hostile) expect(shown).not.toContain(character);
  expect(JSON.parse(`"${shown}"`)).toBe(all);
  const document = JSON.stringify({ [all]: all, "tab\tand\nline": "é😀" }, undefined, 2);
  expect(JSON.parse(terminalText(document))).toEqual(JSON.parse(document));
  expect(terminalText("a\r\n\tb é 😀 מ\r")).toBe("a\r\n\tb é 😀 מ\r");
});

test("the tools print their own colors, and those of nobody else", () => {
  const red = ownColor(pc.createColors(true).red);
  expect(ofTools(red(`a${all}`))).toBe(`\u001b[31m${ofTools(`a${all}`)}\u001b[39m`);
  expect(ofTools(red(`a${red("b")}c`))).toBe("\u001b[31ma\u001b[31mb\u001b[39m\u001b[31mc\u001b[39m");
  expect(ofTools(createColors(false).red(all))).toBe(ofTools(all));
});

test("whatever a command of the tools prints goes that way", () => {
  const written: string[] = [];
  const output = { isTTY: true, write: (text: string) => written.push(text) };
  const terminal = terminalIn({ cwd: "/", env: {}, stdout: output, stderr: output }, false);
  terminal.print(all);
  terminal.note(all);
  terminal.progress(all);
  expect(written).toEqual([`${ofTools(all)}\n`, `${ofTools(all)}\n`, ofTools(all)]);
});

test("whatever a command of the server prints goes that way, colors or not", () => {
  const module = join(import.meta.dirname, "../../runtime/operations/log/terminal-text.ts");
  const program = `import { escapeConsole } from ${JSON.stringify(module)};
    escapeConsole();
    console.log(${JSON.stringify(all)});
    console.error(new Error(${JSON.stringify(all)}).message);
    console.log("last");
    process.exit(3);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  expect([stdout, stderr, status]).toEqual([`${ofServer(all)}\nlast\n`, `${ofServer(all)}\n`, 3]);
});
