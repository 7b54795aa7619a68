#!/usr/bin/env node
// Says first of all which Node is needed: older ones cannot even read the other modules.
import { readFileSync } from "node:fs";

const manifest: { readonly engines: { readonly node: string } } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);
const needed = manifest.engines.node.replace(">=", "");
if (isBelow(process.versions.node, needed)) {
  console.error(
    `error: this needs Node ${needed} or later, and runs on ${process.versions.node}: install a newer Node, or run it by \`npx --package node@24 --package <this package> …\``,
  );
  process.exit(2);
}
await import("./cli.ts");

function isBelow(version: string, least: string): boolean {
  const [own, asked] = [version, least].map((text) => text.split(".").map(Number));
  const at = asked?.findIndex((part, index) => part !== own?.[index]) ?? -1;
  return at >= 0 && (own?.[at] ?? 0) < (asked?.[at] ?? 0);
}
