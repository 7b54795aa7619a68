import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  documentsOf,
  emptyFolder,
  packed,
  type PackOptions,
  readManifest,
  writePackage,
} from "../../tools/pack/pack.ts";
import { compileForNode, dependenciesOf } from "./compile.ts";
import { generatedFolder, root } from "./folder.ts";

/** Packs the tests of an interface, with its cases inside. Gives the path of the tarball. */
export async function packConformance(name: string, options: PackOptions): Promise<string> {
  const source = generatedFolder(name, "conformance");
  const folder = emptyFolder(options, `${name}-conformance`);
  const lib = join(folder, "lib");
  mkdirSync(lib);
  const code = join(root, "conformance");
  compileForNode(lib, code, [join(code, "**/*.ts")]);
  cpSync(join(code, "report/page"), join(lib, "report/page"), { recursive: true });
  // Where the report looks for it.
  cpSync(join(root, "web/shared/tokens.css"), join(folder, "web/shared/tokens.css"));
  for (const file of ["suite.json", "cases.jsonl"]) cpSync(join(source, file), join(folder, "suite", file));
  const manifest = {
    ...readManifest(source),
    files: ["lib", "suite", "web"],
    dependencies: dependenciesOf(lib),
  };
  await writePackage(folder, manifest, documentsOf(source, ["README.md"]), options);
  return packed(folder);
}
