import type { Documented, ServiceModel } from "../../model/service-model.ts";

/** A run of text; `code` where the spec writes it between backquotes. */
export interface TextRun {
  readonly text: string;
  readonly code: boolean;
}

/** Where a sentence names the decision that it rests on: readers see what was decided. */
const decisionNumbers = / \(D-\d+(?:, D-\d+)*\)/g;

/** Plain prose as runs of text. Nothing in it is markup but backquotes. */
export function prose(text: string): readonly TextRun[] {
  return text
    .replaceAll(decisionNumbers, "")
    .trim()
    .split(/`([^`]+)`/)
    .map((part, index) => ({ text: closed(part), code: index % 2 === 1 }))
    .filter((run) => run.text !== "");
}

/** A text that leaves the direction of what follows it as it is: what turns the line in it ends with it. */
function closed(text: string): string {
  const more = (open: RegExp, close: RegExp): number =>
    Math.max(0, (text.match(open)?.length ?? 0) - (text.match(close)?.length ?? 0));
  return (
    text +
    "\u202C".repeat(more(/[\u202A\u202B\u202D\u202E]/gu, /\u202C/gu)) +
    "\u2069".repeat(more(/[\u2066-\u2068]/gu, /\u2069/gu))
  );
}

/** The first sentence, for tables. */
export function firstSentence(text: string): string {
  const [first = ""] = text.trim().split(/(?<=[.!?])\s+(?=[A-Z])/);
  return first;
}

/** A link to what settles an open question. Readers see words, not the number of the decision. */
export interface Clarification {
  readonly words: string;
  readonly href: string;
}

/** The notes on a documented part: its origin, its first revision, and its removal. */
export interface Remarks {
  readonly doc: readonly TextRun[];
  readonly section: string | undefined;
  readonly clarifications: readonly Clarification[];
  readonly since: string | undefined;
  readonly deprecated: string | undefined;
}

export function remarks(thing: Documented, links: Links, explained: ReadonlySet<string>): Remarks {
  return {
    doc: prose(thing.doc),
    section: thing.section,
    clarifications: thing.decisions
      .filter((id) => explained.has(id))
      .map((id, at) => ({ words: at === 0 ? "clarified" : `(${at + 1})`, href: links.decision(id) })),
    since: thing.since,
    deprecated: thing.deprecated,
  };
}

/** Where things are on the pages, relative to the page that links to them. */
export interface Links {
  page(name: string): string;
  /** By its path below the site. */
  guide(path: string): string;
  method(name: string): string;
  /** Its operations on the front page; without a name, those of no service. */
  service(name: string | undefined): string;
  type(name: string): string;
  error(code: string): string;
  event(name: string): string;
  state(name: string): string;
  rule(id: string): string;
  decision(id: string): string;
}

/** Links from a page; `root` is the way from its folder to the front page: `""` or `"../"`. */
export function linksFrom(model: ServiceModel, root: string): Links {
  const files = {
    methods: filesOf(model.methods.map(({ name, names }) => [name, names.file])),
    services: filesOf(model.services.map(({ name, names }) => [name, names.file])),
    types: filesOf(model.types.map(({ name, names }) => [name, names.file])),
    errors: filesOf(model.errors.map(({ code, names }) => [code, names.file])),
    events: filesOf(model.events.map(({ name, names }) => [name, names.file])),
  };
  return {
    page: (name) => `${root}${name}.html`,
    guide: (path) => `${root}${path}`,
    method: (name) => `${root}operations/${found(files.methods, name)}.html`,
    service: (name) =>
      `${root}index.html#service-${name === undefined ? "none" : found(files.services, name)}`,
    type: (name) => `${root}types.html#${found(files.types, name)}`,
    error: (code) => `${root}errors.html#${found(files.errors, code)}`,
    event: (name) => `${root}events.html#${found(files.events, name)}`,
    state: (name) => `${root}states.html#${encodeURIComponent(anchor(name))}`,
    rule: (id) => `${root}rules.html#${encodeURIComponent(anchor(id))}`,
    decision: (id) => `${root}decisions.html#${encodeURIComponent(anchor(id))}`,
  };
}

function filesOf(entries: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(entries);
}

function found(files: ReadonlyMap<string, string>, name: string): string {
  const file = files.get(name);
  if (file === undefined) throw new Error(`the reference pages have no place for ${name}`);
  return file;
}

/** The identifier of a place on a page: it has no white space. */
export function anchor(name: string): string {
  return name.replaceAll(/\s+/g, "-");
}

/** The parts of a name, between which a narrow screen may break it: after `.`, `_`, `/` and before a capital or `{`. */
export function nameParts(name: string): readonly string[] {
  return name.split(/(?<=[._/])|(?<=[\p{Ll}\d])(?=[\p{Lu}{])/u);
}
