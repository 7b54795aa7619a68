/**
 * `npm run pack -- server|generator|runtime|client|conformance [interface …] [options]`: compiles a package to JavaScript and
 * declarations, derives its manifest from the compiled imports, and packs it into `dist`. Prints the path of each tarball;
 * the package's files are in a folder beside it. `--sbom` adds its bill of materials. A client and a conformance package belong to an interface: `ledger` where
 * none is named. Without `--scope` or `--name` a package is private: it is installed from its file.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packClient, type PackOptions } from "../tools/pack/pack.ts";
import { packConformance } from "./pack/conformance.ts";
import { buildAll, generatedFolder, root } from "./pack/folder.ts";
import { packGenerator } from "./pack/generator.ts";
import { packRuntime } from "./pack/runtime.ts";
import { writeBom } from "./pack/sbom.ts";
import { packServer } from "./pack/server.ts";

const usage =
  "npm run pack -- server | generator | runtime | client [interface …] | conformance [interface …]\n" +
  "  [--scope scope] [--name name] [--version number] [--out folder] [--sbom]";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: "string" },
    scope: { type: "string" },
    version: { type: "string" },
    out: { type: "string", default: join(root, "dist") },
    sbom: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [kind, ...interfaces] = positionals;
const options: PackOptions = { ...values, out: resolve(values.out), owner: root };
const isOfInterface = kind === "client" || kind === "conformance";

if (values.help) console.log(usage);
else if (!isOfInterface && interfaces.length > 0)
  fail(`${kind} belongs to no interface: pack ${interfaces.join(" and ")} by a command of its own`);
else if (interfaces.length > 1 && values.name !== undefined)
  fail("--name names one package; give --scope for several");
else
  for (const tarball of await packed()) {
    console.log(tarball);
    if (values.sbom) console.log(writeBom(tarball));
  }

async function packed(): Promise<readonly string[]> {
  const names = interfaces.length === 0 ? ["ledger"] : interfaces;
  // Packages have what a clone builds when it is needed.
  await buildAll();
  switch (kind) {
    case "server":
      return [await packServer(options)];
    case "generator":
      return [await packGenerator(options)];
    case "runtime":
      return [await packRuntime(options)];
    case "client":
      return await each(names, (name) => packClient(generatedFolder(name, "client"), options));
    case "conformance":
      return await each(names, (name) => packConformance(name, options));
    default:
      return fail(`${kind ?? "nothing"} is not a package of this repository`);
  }
}

async function each(
  names: readonly string[],
  pack: (name: string) => Promise<string>,
): Promise<readonly string[]> {
  const tarballs: string[] = [];
  for (const name of names) tarballs.push(await pack(name));
  return tarballs;
}

function fail(reason: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}
