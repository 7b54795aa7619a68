import { isAbsolute } from "node:path";
import { countsOf, type Counts, type ImportReport, type ReportEntry } from "./index.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";

export interface ImportPlace {
  readonly file: string;
  /** Folder of the spec, relative to where the command runs. */
  readonly folder: string;
  readonly config?: string | undefined;
}

/** The report line by line: every method and type, and below it what was not taken as it is. */
export function importText(
  { entries }: ImportReport,
  { file, folder, config }: ImportPlace,
  color: Terminal["color"],
  lossy: boolean,
): string {
  const paint = { exact: color.green, assumed: color.yellow, weakened: color.yellow, refused: color.red };
  const lines = entries.flatMap(({ kind, name, pointer, verdict, findings }) => [
    `${paint[verdict](verdict.padEnd(8))}  ${kind} ${name}${verdict === "exact" ? "" : color.dim(`  ${pointer}`)}`,
    ...findings.map(
      (finding) => `          ${color.dim(finding.pointer)} ${finding.effect}: ${finding.reason}`,
    ),
  ]);
  const refused = entries.some(({ verdict }) => verdict === "refused");
  return [
    ...lines,
    ...(lines.length === 0 ? [] : [""]),
    `${file}: methods: ${countText(countsOf(entries, "method"))}; types: ${countText(countsOf(entries, "type"))}`,
    config === undefined
      ? `The spec is in ${folder}.\n${withoutConfig(folder)}`
      : `The spec is in ${folder}, and in ledger-rpc.yaml: run \`ledger-rpc generate\`.`,
    ...(refused && !lossy
      ? ["With --lossy, what cannot be said is dropped, and kept beside it as x-dropped."]
      : []),
  ].join("\n");
}

/** The advice where no config names the spec. */
function withoutConfig(folder: string): string {
  const name = folder.split(/[/\\]/).at(-1);
  const isAbove = folder.startsWith("..") || isAbsolute(folder);
  const spec = isAbove ? "spec" : folder.replaceAll("\\", "/");
  return [
    `No ledger-rpc.yaml names it yet. Create one ${isAbove ? "above that folder" : "here"}, then run \`ledger-rpc generate\`:`,
    "",
    "specs:",
    `  - { spec: ${spec}, out: generated/${name}, handlers: src/handlers/${name} }`,
    // Everything is generated without it, and that needs more than the runtime: zod.
    "targets: [types, validators, methods, handlers, client]",
  ].join("\n");
}

export function importJson(report: ImportReport, place: ImportPlace): object {
  const { entries } = report;
  return {
    ok: entries.every(({ verdict }: ReportEntry) => verdict !== "refused"),
    ...place,
    methods: countsOf(entries, "method"),
    types: countsOf(entries, "type"),
    entries,
  };
}

function countText({ all, taken, exact, assumed, weakened, refused }: Counts): string {
  return `${taken} of ${all} taken (${exact} exact, ${assumed} assumed, ${weakened} weakened), ${refused} refused`;
}
