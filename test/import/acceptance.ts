import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { externalReader } from "../../tools/import/read-document.ts";
import { countsOf, jsonOf, methodDifferences, type Counts, type Json } from "../../tools/import/index.ts";
import { reExport } from "./re-export.ts";

/** What is done with one public document. */
export interface Outcome {
  readonly name: string;
  readonly methods: Counts;
  readonly types: Counts;
  /** Exact or assumed methods whose re-export is not equal: each is a fault of the import or the export. */
  readonly unequal: readonly string[];
  /** Errors of the spec that was written. */
  readonly errors: readonly string[];
}

/** Imports a document, exports it again and compares. */
export function accept(name: string, document: Json, folder: string, refs: readonly Ref[] = []): Outcome {
  const readExternal = externalReader([...refs, { prefix: "./", folder }]);
  const { imported, errors, openrpc } = reExport(document, { lossy: true, readExternal });
  const { entries } = imported.report;
  const exact = new Set(
    entries
      .filter(({ kind, verdict }) => kind === "method" && (verdict === "exact" || verdict === "assumed"))
      .map((entry) => entry.name),
  );
  const compared =
    exact.size === 0
      ? []
      : methodDifferences({ document, readExternal }, { document: openrpc, readExternal });
  const unequal = compared
    .filter((each) => exact.has(each.name) && each.differences.length > 0)
    .map((each) => `${each.name}: ${each.differences.join("; ")}`);
  return {
    name,
    methods: countsOf(entries, "method"),
    types: countsOf(entries, "type"),
    unequal,
    errors: errors.map(({ message }) => message),
  };
}

type Ref = Parameters<typeof externalReader>[0][number];

const require = createRequire(import.meta.url);

/** The public OpenRPC documents that npm packages of the development ship. */
export const packagedDocuments: readonly (readonly [string, unknown])[] = [
  [
    "api-with-examples",
    require("@open-rpc/examples/build/service-descriptions/api-with-examples-openrpc.json"),
  ],
  ["link-example", require("@open-rpc/examples/build/service-descriptions/link-example-openrpc.json")],
  [
    "params-by-name-petstore",
    require("@open-rpc/examples/build/service-descriptions/params-by-name-petstore-openrpc.json"),
  ],
  [
    "petstore-expanded",
    require("@open-rpc/examples/build/service-descriptions/petstore-expanded-openrpc.json"),
  ],
  ["petstore", require("@open-rpc/examples/build/service-descriptions/petstore-openrpc.json")],
  ["simple-math", require("@open-rpc/examples/build/service-descriptions/simple-math-openrpc.json")],
  ["metamask", require("@metamask/api-specs/dist/build/openrpc.json")],
  ["metamask-multichain", require("@metamask/api-specs/dist/build/multichain-openrpc.json")],
];

export function readJson(path: string): Json {
  return jsonOf(JSON.parse(readFileSync(path, "utf8")));
}

/**
 * `node test/import/acceptance.ts [--ref prefix=folder]… [file…]`: the share of each document that is taken; of the packaged
 * ones without files. Documents that `$ref` names by a prefix are in the folder; by `./`, beside the document.
 */
function main(args: string[]): void {
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: { ref: { type: "string", multiple: true, default: [] } },
  });
  const refs = values.ref.map((each) => {
    const [prefix = "", folder = ""] = each.split("=");
    return { prefix, folder };
  });
  const outcomes =
    files.length === 0
      ? packagedDocuments.map(([name, document]) => accept(name, jsonOf(document), "."))
      : files.map((path) => accept(path, readJson(path), dirname(path), refs));
  let failed = false;
  for (const outcome of outcomes) {
    process.stdout.write(
      `${outcome.name}\n  methods  ${line(outcome.methods)}\n  types    ${line(outcome.types)}\n`,
    );
    for (const fault of [...outcome.unequal, ...outcome.errors])
      process.stdout.write(`  fault    ${fault}\n`);
    failed ||= outcome.unequal.length + outcome.errors.length > 0;
  }
  if (failed) process.exitCode = 1;
}

function line({ all, taken, exact, assumed, weakened, refused }: Counts): string {
  return `${taken} of ${all} taken: ${exact} exact, ${assumed} assumed, ${weakened} weakened; ${refused} refused`;
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
