import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import Handlebars from "handlebars";

/** Where templates lie. In a package they are compiled, and so is this module: see `bin/pack/generator.ts`. */
export const templateFolder = join(import.meta.dirname, "../../templates");

/** Templates of text hold no logic and escape nothing. */
export const textOptions = { noEscape: true, strict: true, knownHelpersOnly: true, knownHelpers: {} };

/** Templates of pages escape every value. */
export const pageOptions = { strict: true, knownHelpersOnly: true };

/** Fills a template. Throws for a name without a value. */
export type Fill = (values: object) => string;

/** `name` is its path below `templates`, without `.hbs`. */
export function textTemplate(name: string): Fill {
  return Handlebars.compile(readFileSync(join(templateFolder, `${name}.hbs`), "utf8"), textOptions);
}

/** `name` is its path below `templates/reference`, without `.html.hbs`. */
export function pageTemplate(name: string): Fill {
  pages ??= withPartials();
  return pages.compile(readFileSync(join(pageFolder, `${name}.html.hbs`), "utf8"), pageOptions);
}

const pageFolder = join(templateFolder, "reference");
let pages: typeof Handlebars | undefined;

function withPartials(): typeof Handlebars {
  const handlebars = Handlebars.create();
  const folder = join(pageFolder, "partials");
  for (const file of readdirSync(folder))
    handlebars.registerPartial(basename(file, ".hbs"), readFileSync(join(folder, file), "utf8"));
  return handlebars;
}
