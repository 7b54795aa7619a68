import { readFileSync } from "node:fs";
import { join } from "node:path";
import { styleText } from "node:util";
import { Command } from "commander";
import { runConform, type Console, type ConformOptions } from "../cli/conform.ts";
import { stopSignal } from "../base/stop-signal.ts";
import { ownColor, terminalText } from "../base/terminal-text.ts";
import { conformHelp, withConformOptions } from "../cli/options.ts";

const root = join(import.meta.dirname, "../..");
const manifest: { readonly name: string; readonly version: string } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

await withConformOptions(new Command(manifest.name))
  .version(manifest.version, "-V, --version", "print the version")
  .addHelpText("after", conformHelp(`npx --no ${manifest.name}`))
  .action(async (options: ConformOptions) => {
    process.exitCode = await runConform(join(root, "suite"), options, processConsole(), stopSignal());
  })
  .parseAsync();

function processConsole(): Console {
  const isLive = Boolean(process.stderr.isTTY);
  const clear = isLive ? "\r\u001b[K" : "";
  return {
    isLive,
    color: {
      bold: painted("bold"),
      dim: painted("dim"),
      red: painted("red"),
      green: painted("green"),
      yellow: painted("yellow"),
    },
    print: (text) => process.stdout.write(`${terminalText(text)}\n`),
    note: (text) => process.stderr.write(`${clear}${terminalText(text)}\n`),
    progress: (text) => {
      if (isLive) process.stderr.write(clear + terminalText(text));
    },
  };
}

/** Colors where standard output takes them: not in a file, not with NO_COLOR. */
function painted(format: Parameters<typeof styleText>[0]): (text: string) => string {
  return ownColor((text) => styleText(format, text, { stream: process.stdout }));
}
