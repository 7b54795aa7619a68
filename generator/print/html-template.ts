import { oncePerText } from "../language/source/once-per.ts";
import { pageTemplate } from "./compiled-templates.ts";

/**
 * Fills a page of `templates/reference`. Every value is escaped: what a spec says is text, never markup. The only
 * exceptions are the frame's `body` and a page's `sections`, which were filled before. A name without a value is an error.
 */
export function fillPage(name: string, view: object): string {
  return compiled(name)(view);
}

const compiled = oncePerText(pageTemplate);
