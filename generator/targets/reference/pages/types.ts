import type { TypeModel } from "../../../model/service-model.ts";
import { objectView, valueDetails } from "../field-tree.ts";
import type { PageContext } from "../page-context.ts";
import { pageParts, type Page } from "../page.ts";
import { jsonHtml } from "../code.ts";
import { typeWords } from "../type-words.ts";

const uses = { request: "requests", response: "answers", event: "notifications" } as const;

/** `types.html`: every named type with its fields or values. */
export function typesPage(context: PageContext): Page | undefined {
  const { model } = context;
  if (model.types.length === 0) return undefined;
  return {
    path: "types.html",
    title: "Types",
    template: "types",
    current: "types",
    view: {
      types: model.types.map(({ name, names }) => ({ name, anchor: names.file })),
      sections: pageParts(
        "type",
        model.types.map((type) => typeView(type, context)),
      ),
    },
  };
}

function typeView(type: TypeModel, context: PageContext) {
  const { shape } = type;
  // Types within it are links here: each has its own place on this page.
  const links = { ...context, room: { fields: 0 } };
  return {
    ...context.remarks(type),
    anchor: type.names.file,
    name: type.name,
    kind: typeWords(shape, context.links),
    ...valueDetails(shape, links),
    usedIn: type.usedIn.map((use) => uses[use]).join(", "),
    object: shape.kind === "object" ? objectView(shape, links) : undefined,
    example: type.example === undefined ? undefined : jsonHtml(type.example),
  };
}
