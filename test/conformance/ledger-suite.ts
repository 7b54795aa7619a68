import { join } from "node:path";
import { loadSuite, type LoadedSuite } from "../../conformance/index.ts";

let loaded: LoadedSuite | undefined;

/** The ledger's suite, made once for all test files of a process: its cases take a second. */
export function ledgerSuite(): LoadedSuite {
  loaded ??= loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
  return loaded;
}
