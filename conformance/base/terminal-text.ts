import { randomBytes } from "node:crypto";

/** Stands for ESC in what a command itself prints. Each process draws its own, so that no text can hold it. */
const ownEscape = `\uFDD0${randomBytes(8).toString("hex")}`;

/**
 * Makes a text safe to print on a terminal. Control characters, and those that turn the direction of a line, become JSON
 * escapes: a JSON document keeps its value. Lines may end with CR LF. Only colors of `ownColor` reach the terminal.
 */
export function terminalText(text: string): string {
  const parts = text
    .split(ownEscape)
    .map((part) =>
      part.replaceAll(
        /(?![\n\t]|\r(?:\n|$))[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
    );
  return parts.join("\u001b");
}

/** A way to color texts that `terminalText` lets through. */
export function ownColor(paint: (text: string) => string): (text: string) => string {
  const [open = "", close = ""] = paint("\0").replaceAll("\u001b", ownEscape).split("\0");
  return (text) => (open === "" ? text : open + text.replaceAll(close, close + open) + close);
}
