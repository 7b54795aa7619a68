import { Console } from "node:console";
import { Writable } from "node:stream";
import pc from "picocolors";

/**
 * Makes a text safe to print on a terminal. Control characters, and those that turn the direction of a line, become JSON
 * escapes: a JSON document keeps its value. Lines may end with CR LF.
 */
export function terminalText(text: string): string {
  return text.replaceAll(
    /(?![\n\t]|\r(?:\n|$))[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Prose with an indent before each line, broken between words at the terminal's width; whole outside a terminal. */
export function wrapped(text: string, width = Infinity, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || indent.length + longer.length <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((each) => `${indent}${each}`).join("\n");
}

/** Every `console.log` and `console.error` of a command goes through `terminalText`. */
export function escapeConsole(): void {
  globalThis.console = new Console({ stdout: escaping(process.stdout), stderr: escaping(process.stderr) });
}

function escaping(stream: NodeJS.WriteStream): Writable {
  // As of the console that was there: a reader that has gone is no error.
  stream.on("error", () => undefined);
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      stream.write(withOwnColors(String(chunk)));
      done();
    },
  });
}

/** Codes for bold, dim, red, green and cyan, and their ends. */
const ownColors = /(\p{Cc}\[(?:1|2|22|31|32|36|39)m)/u;

/** Colors pass where commands print them: what they color is escaped before. */
function withOwnColors(text: string): string {
  if (!pc.isColorSupported) return terminalText(text);
  return text
    .split(ownColors)
    .map((part, at) => (at % 2 === 1 && part.startsWith("\u001b") ? part : terminalText(part)))
    .join("");
}
