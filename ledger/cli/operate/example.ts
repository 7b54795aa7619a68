import { flagText, valueAt, withValue, type Field } from "./fields.ts";

/** An example with more flags than this has those alone that the request needs. */
const flagsMax = 4;

/** Which page of a list is shown: the first one, of the usual size. */
const paging: ReadonlySet<string> = new Set(["page-size", "page-number", "after"]);

/** A command, and the fields of its request. */
interface CommandLine {
  /** `ledger-server <resource> <verb>`. */
  readonly words: string;
  /** The field that is given without a flag. */
  readonly argument?: string | undefined;
  readonly fields: readonly Field[];
}

/**
 * The parts of the command line that makes a request, such as the first one of the interface's document. `isWhole` says
 * whether a request lacks nothing.
 */
export function exampleOf(
  { words, argument, fields }: CommandLine,
  request: object,
  isWhole: (request: object) => boolean,
): readonly string[] {
  const given = fields.filter(({ path, flag }) => valueAt(request, path) !== undefined && !paging.has(flag));
  const isFlag = ({ path }: Field): boolean => path.join(".") !== argument;
  const shown = given.filter(isFlag).length <= flagsMax ? given : needed(given, request, isWhole);
  const flags = shown.filter(isFlag).toSorted((a, b) => Number(isJson(a)) - Number(isJson(b)));
  return [
    words,
    ...shown.filter((field) => !isFlag(field)).map((field) => written(field, request)),
    ...flags.map((field) => `--${field.flag} ${written(field, request)}`),
  ];
}

function isJson(field: Field): boolean {
  return flagText(field).endsWith("<json>");
}

/** The fields without any one of which the request lacks something. */
function needed(
  given: readonly Field[],
  request: object,
  isWhole: (request: object) => boolean,
): readonly Field[] {
  const kept = given.reduceRight((kept, field) => {
    const others = kept.filter((each) => each !== field);
    const rest = others.reduce((made, { path }) => withValue(made, path, valueAt(request, path)), {});
    return isWhole(rest) ? others : kept;
  }, given);
  return kept.length === given.length ? kept : needed(kept, request, isWhole);
}

/** A value as the shell and the flag take it; of a list of objects the first one. */
function written({ path, schema }: Field, request: object): string {
  if (schema["x-format"] === "pem") return "key.pub";
  const value = valueAt(request, path);
  if (typeof value === "string") return quoted(value);
  if (!Array.isArray(value)) return quoted(JSON.stringify(value));
  return quoted(typeof value[0] === "string" ? value.join(",") : JSON.stringify(value.slice(0, 1)));
}

function quoted(text: string): string {
  return /^[\w.,:@+/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
