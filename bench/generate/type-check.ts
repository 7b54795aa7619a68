import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNode } from "../harness/command.ts";

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
};

/**
 * CPU seconds of `tsc --noEmit` over the generated code of a folder, with the compiler and packages below `modules`;
 * undefined after an error.
 */
export function typeCheckSeconds(folder: string, include: string, modules: string): readonly number[] {
  const [config, link] = [join(folder, "tsconfig.check.json"), join(folder, "node_modules")];
  writeFileSync(config, JSON.stringify({ compilerOptions, include: [include] }));
  if (!existsSync(link)) symlinkSync(modules, link);
  try {
    return [runNode(join(modules, "typescript/bin/tsc"), ["-p", config], folder).cpuSeconds];
  } catch (error) {
    console.error(String(error).slice(0, 500));
    return [];
  }
}
