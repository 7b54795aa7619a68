import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import Handlebars from "handlebars";
import { oncePerText } from "../source/once-per.ts";

const folder = join(import.meta.dirname, "../../templates/reference");

/**
 * Fills a page of `templates/reference`. Every value is escaped: what a spec says is text, never markup. The one
 * exception is the frame's `body`, which is a page that was filled before. A name without a value is an error.
 */
export function fillPage(name: string, view: object): string {
  return compiled(name)(view);
}

const handlebars = Handlebars.create();
let hasPartials = false;

const compiled = oncePerText((name) => {
  if (!hasPartials) {
    for (const file of readdirSync(join(folder, "partials"))) {
      handlebars.registerPartial(
        basename(file, ".hbs"),
        readFileSync(join(folder, "partials", file), "utf8"),
      );
    }
    hasPartials = true;
  }
  const source = readFileSync(join(folder, `${name}.html.hbs`), "utf8");
  return handlebars.compile(source, { strict: true, knownHelpersOnly: true });
});
