import { readFileSync } from "node:fs";

const packageFile = new URL("../../package.json", import.meta.url);

/** Version of the program, as its package states it. */
export const version = versionOf(JSON.parse(readFileSync(packageFile, "utf8")));

function versionOf(content: unknown): string {
  const isStated = typeof content === "object" && content !== null && "version" in content;
  return isStated && typeof content.version === "string" ? content.version : "unknown";
}
