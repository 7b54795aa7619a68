import type { ServiceModel } from "../../../model/service-model.ts";
import { protocolOf } from "../../../protocols/index.ts";
import { partOf } from "../../../protocols/parts.ts";
import { nameParts, firstSentence } from "../prose.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";

const effects = { read: "reads", set: "sets", create: "creates" } as const;

/** `index.html`: what the interface is for, how it is called, and every operation. */
export function overviewPage(context: PageContext): Page {
  const { model, links } = context;
  const part = partOf(model, "reference");
  const groups = Map.groupBy(model.methods, ({ service }) => service);
  return {
    path: "index.html",
    title: "Overview",
    template: "overview",
    current: "index",
    view: {
      ...context.remarks(model),
      title: model.title,
      revision: model.revision,
      isSigned: protocolOf(model).isSigned,
      endpoint: endpointsOf(model).join(" or "),
      counts: [
        count(model.methods.length, "operation"),
        count(model.types.length, "type"),
        count(model.errors.length, "error code"),
        count(model.events.length, "event"),
      ]
        .filter((text) => text !== undefined)
        .join(", "),
      programs: context.shown(part.programs(model)),
      guides: context.guides.map(({ path, title, about }) => ({
        href: links.guide(path),
        title,
        about: firstSentence(about),
      })),
      downloads: context.downloads,
      authentication: links.page("authentication"),
      errors: links.page("errors"),
      earlier: model.serves?.map((served) => served.model.revision).join(", "),
      // The others are what a test needs beside the interface: a second caller, an address.
      resources: model.resources
        .filter(({ absent }) => absent !== undefined)
        .map(({ name, doc }) => ({ name, doc: firstSentence(doc) })),
      services: [...groups].map(([name, methods]) => {
        const service = model.services.find((one) => one.name === name);
        return {
          anchor: `service-${service?.names.file ?? "none"}`,
          name: name ?? "Operations",
          doc: service?.doc,
          hasSections: methods.some(({ section }) => section !== undefined),
          operations: methods.map((method) => ({
            parts: nameParts(method.name),
            href: links.method(method.name),
            doc: firstSentence(method.doc),
            effect: effects[method.effect],
            section: method.section,
            isDeprecated: method.deprecated !== undefined,
          })),
        };
      }),
    },
  };
}

/** Where calls go: `POST /rpc`, `WebSocket /rpc`. */
function endpointsOf(model: ServiceModel): readonly string[] {
  const { path } = model;
  const words = { http: `POST ${path}`, websocket: `WebSocket ${path}`, stdio: "standard input" };
  return protocolOf(model)
    .transports(model)
    .map((transport) => words[transport]);
}

/** Undefined for none. */
function count(many: number, thing: string): string | undefined {
  return many === 0 ? undefined : `${many} ${thing}${many === 1 ? "" : "s"}`;
}
