import type { Documented, ServiceModel, TransitionModel } from "../../model/service-model.ts";
import type { Download, EmitLayout } from "../emitter.ts";
import { guidePages, type GuidePage } from "./guides.ts";
import { programsShown, type ShownProgram, type Snippet } from "./snippets.ts";
import { linksFrom, type Links, remarks, type Remarks } from "./prose.ts";

/** Inputs of a page: the interface, and links from the page to all others. */
export interface PageContext {
  readonly model: ServiceModel;
  /** The way from the page's folder to the front page. */
  readonly root: "" | "../";
  readonly links: Links;
  /** The decisions whose text the spec gives. */
  readonly explained: ReadonlySet<string>;
  readonly guides: readonly GuidePage[];
  readonly downloads: readonly Download[];
  readonly isVersioned: boolean;
  /** The transitions of all state machines, by the method that causes them. */
  readonly transitions: ReadonlyMap<string | undefined, readonly MachineTransition[]>;
  /** How many fields the page may still show inside others: beyond that, a type is a link. */
  readonly room: { fields: number };
  remarks(thing: Documented): Remarks;
  shown(programs: readonly Snippet[]): readonly ShownProgram[];
}

interface MachineTransition {
  readonly machine: string;
  readonly transition: TransitionModel;
}

/** The contexts of a site's pages: what all of them share is found once. */
export function pageContexts(
  model: ServiceModel,
  {
    guides = [],
    downloads = [],
    isVersioned = false,
  }: Pick<EmitLayout, "guides" | "downloads" | "isVersioned">,
): (root: PageContext["root"]) => PageContext {
  const pages = guidePages(guides);
  const explained = new Set(decisionTexts(model).keys());
  const links = { "": linksFrom(model, ""), "../": linksFrom(model, "../") };
  const transitions = Map.groupBy(
    model.states.flatMap(({ name, transitions: all }) =>
      all.map((transition): MachineTransition => ({ machine: name, transition })),
    ),
    ({ transition }) => transition.by,
  );
  const shown = programsShown();
  return (root) => ({
    model,
    shown,
    transitions,
    root,
    links: links[root],
    explained,
    guides: pages,
    downloads,
    isVersioned,
    room: { fields: 600 },
    remarks: (thing) => remarks(thing, links[root], explained),
  });
}

/** The text of each decision: that of the requirement of its name. */
export function decisionTexts(model: ServiceModel): ReadonlyMap<string, string> {
  const named = new Set(decisionIds(model));
  return new Map(
    model.requirements.filter(({ id }) => named.has(id)).map(({ id, doc }) => [id, doc] as const),
  );
}

/** Every decision that something of the interface rests on, in natural order. */
function decisionIds(model: ServiceModel): readonly string[] {
  const ids = new Set([model, ...documentedThings(model)].flatMap(({ decisions }) => decisions));
  return [...ids].toSorted(new Intl.Collator("en", { numeric: true }).compare);
}

/** All documented things that a reader finds by name. */
function documentedThings(model: ServiceModel): readonly Documented[] {
  return [
    ...model.services,
    ...model.auth,
    ...model.authHeaders,
    ...model.types,
    ...model.methods,
    ...model.errors,
    ...model.events,
    ...model.states,
    ...model.rules,
    ...model.requirements,
  ];
}
