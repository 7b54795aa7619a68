import { existsSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** The generated part of an interface that a package is made of. @throws Error if there is no such interface */
export function generatedFolder(name: string, part: "client" | "conformance"): string {
  const folder = join(root, "generated", name, part);
  if (!existsSync(folder))
    throw new Error(`${folder} is missing: is ${name} an interface of ledger-rpc.yaml?`);
  return folder;
}
