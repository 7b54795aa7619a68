import type { ServiceModel } from "../../model/service-model.ts";
import { bracketed, lines, type Printable } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { WantedEntries } from "../../protocols/protocol.ts";
import { typesModule } from "../types/types-module.ts";
import { type Adapted, copiedModules } from "./copied-modules.ts";
import { hasMoney } from "../../model/holds.ts";
import { interfaceModule, type InterfaceFacts } from "./interface-module.ts";
import { listsModule } from "./lists-module.ts";
import { sharedTypes, type PagedList } from "./names.ts";
import { operationsModule, type OperationsSource } from "./operations.ts";
import { packageFiles } from "./package-files.ts";
import { schemasModules } from "./schemas-module.ts";
import { inSubjects, type Subjects } from "./subjects.ts";

/** The part of a client that depends on its protocol. */
export interface ClientSource {
  readonly lists: readonly PagedList[];
  readonly readme: string;
  readonly facts: InterfaceFacts;
  readonly operations: OperationsSource;
  /** Whether it signs by private keys. */
  readonly signs: boolean;
  /** Whether answers may have members in two spellings. */
  readonly doubledSpellings: boolean;
  /** Names of modules that callers import, beside those of every client. */
  readonly entries: readonly string[];
  /** Modules to copy from `templates/client`. */
  readonly copied: readonly string[];
  /** What the copied modules become for the interface; unchanged if absent. */
  readonly adapted?: Adapted;
  /** Modules that are printed, by file name. */
  readonly printed: Readonly<Record<string, string>>;
  /** What the package offers beside what every client does. */
  readonly offers: Offers;
  /** Which modules make a file of the package. */
  readonly subjects: Subjects;
}

/** Exports of `index.ts`, each after the module that has it. */
export type Offers = readonly (readonly [file: string, ...names: string[]])[];

/** Modules of every client, whatever its protocol. */
const shared = [
  "bound.ts",
  "bytes.ts",
  "exchange.ts",
  "failures.ts",
  "json.ts",
  "limited.ts",
  "limits.ts",
  "money.ts",
  "no-node-signer.ts",
  "node-signer.ts",
  "observe.ts",
  "plain-headers.ts",
  "retry.ts",
  "sent-text.ts",
  "service-error.ts",
  "signing.ts",
];
const forLists = ["paging.ts"];

const failures = [
  "CallError",
  "NetworkError",
  "TimeoutError",
  "UnreadableResponseError",
  "type CallFacts",
  "type ErrorClass",
];

/** The files of a client's package. Schemas of zod only where zod is wanted: they import it. */
export function clientPackage(
  model: ServiceModel,
  folder: string,
  wanted: WantedEntries,
  source: ClientSource,
): Readonly<Record<string, string>> {
  const { lists, readme, signs, doubledSpellings, adapted = (modules) => modules } = source;
  const hasLists = lists.length > 0;
  const entries = [
    "index",
    ...(wanted.zod ? ["schemas"] : []),
    ...(wanted.fakes ? ["testing"] : []),
    ...source.entries,
  ];
  const pieces = {
    ...adapted(copiedModules([...shared, ...(hasLists ? forLists : []), ...source.copied], model)),
    ...packageFiles(model, readme, { entries, signs }),
    ...source.printed,
    "interface.ts": interfaceModule(model, folder, source.facts),
    "operations.ts": operationsModule(model, folder, source.operations),
    ...(hasLists && { "lists.ts": listsModule(model, lists, folder) }),
    "index.ts": indexModule(model, folder, source),
    ...(wanted.zod && schemasModules(model, folder)),
    "types.ts": typesModule(model, `${folder}/types.ts`, {
      money: "number",
      doubledSpellings,
      openEnums: true,
      presence: "payloads",
    }),
  };
  return inSubjects(pieces, source.subjects, entries);
}

/** What clients of every protocol offer. */
function commonOffers(model: ServiceModel, signs: boolean): Offers {
  return [
    ["exchange", "type Fetch", "type Provided", "type ResponseLike"],
    ["interface", "type AnyErrorCode", "type ErrorCode"],
    ...(hasMoney(model)
      ? [["money", "* as money"] as const, ["money", "type Amount", "type Rounding"] as const]
      : []),
    ["observe", "type Attempt", "type AttemptEnd", "type Hooks"],
    ["service-error", "type CodeClass", "type ServiceErrorFacts"],
    ...(signs
      ? [["signing", "type PrivateJwk", "type SignFunction", "type Signer", "type SigningKey"] as const]
      : []),
  ];
}

/** `index.ts`: what the package offers. A type of the spec goes before ours of its name. */
function indexModule(model: ServiceModel, folder: string, source: ClientSource): string {
  const { offers, lists, signs } = source;
  const own = new Set(sharedTypes(model).map(({ name }) => `type ${name}`));
  const ofLists = lists.flatMap(({ value, filter, item }) => [value, `type ${filter}`, `type ${item}`]);
  const statements = [
    exported(["*"], "error-classes"),
    exported(failures, "failures"),
    exported(["type Patience"], "retry"),
    ...[...offers, ...commonOffers(model, signs)].map(([file, ...names]) =>
      exported(
        names.filter((name) => !own.has(name)),
        file,
      ),
    ),
    exported(ofLists, "lists"),
    exported(["*"], "operations"),
    'export type * from "./types.ts";',
  ].filter((statement) => statement !== "");
  return printModule({
    path: `${folder}/index.ts`,
    preamble: preamble(model),
    declares: [],
    body: [lines(statements)],
  }).replace("\n\n", "\n");
}

/** Exports of a module: `*`, `* as name`, or names, of which there may be none. */
function exported(names: readonly string[], file: string): Printable {
  const [first = ""] = names;
  if (first === "") return "";
  const from = ` from ${stringLiteral(`./${file}.ts`)};`;
  if (first.startsWith("*")) return ["export ", first, from];
  const isTypes = names.every((name) => name.startsWith("type "));
  const clauses = isTypes ? names.map((name) => name.slice(5)) : names;
  return [isTypes ? "export type " : "export ", bracketed("{", "}", clauses), from];
}
