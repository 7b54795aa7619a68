import { oncePerText } from "../source/once-per.ts";
import { pageTemplate } from "./compiled-templates.ts";
import { createMemo } from "./memo.ts";

/**
 * Fills a page of `templates/reference`. Every value is escaped: what a spec says is text, never markup. The one
 * exception is the frame's `body`, which is a page that was filled before. A name without a value is an error.
 */
export function fillPage(name: string, view: object): string {
  return filled.of(
    () => JSON.stringify([name, view]),
    () => compiled(name)(view),
  );
}

const filled = createMemo<string>();
const compiled = oncePerText(pageTemplate);
