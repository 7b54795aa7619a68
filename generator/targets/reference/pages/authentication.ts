import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { snippetsOf } from "../snippets.ts";

/** `authentication.html`: what every call carries, and the same call written in several languages. */
export function authenticationPage(context: PageContext): Page {
  const { model, links } = context;
  const named = (name: string) => ({ name, href: links.error(name) });
  return {
    path: "authentication.html",
    title: "First call",
    template: "authentication",
    current: "authentication",
    view: {
      endpoint: `POST ${model.path}`,
      members: model.auth.map((member) => ({
        ...context.remarks(member),
        name: member.name,
        missing: named(member.missing),
        requiredBy: model.methods.filter(
          ({ transport }) => transport.kind === "enveloped" && transport.auth.includes(member.name),
        ).length,
      })),
      headers: model.authHeaders.map((header) => ({
        ...context.remarks(header),
        name: header.name,
        format: header.format,
      })),
      hasFlat: model.methods.some(({ transport }) => transport.kind === "flat"),
      snippets: snippetsOf(model),
    },
  };
}
