import type { ServiceModel } from "../../model/service-model.ts";

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
