import { readFileSync } from "node:fs";
import { join } from "node:path";
import { oncePerText } from "../language/source/once-per.ts";
import { pageTemplate, templateFolder, textTemplate } from "./compiled-templates.ts";

/**
 * Fills a template of the `templates` folder, for files whose text is mostly literal. Templates hold no logic. Every
 * value is a text that is ready for its place, and a name without a value is an error.
 */
export function fillTemplate(name: string, values: Readonly<Record<string, string>>): string {
  return compiled(name)(values);
}

/** A file of the `templates` folder as it is: a module that is the same wherever it is copied to. */
export function copyTemplate(name: string): string {
  return readFileSync(join(templateFolder, name), "utf8");
}

const compiled = oncePerText(textTemplate);

/**
 * Fills a page of `templates/reference`. Every value is escaped: what a spec says is text, never markup. The only
 * exceptions are the frame's `body` and a page's `sections`, which were filled before. A name without a value is an error.
 */
export function fillPage(name: string, view: object): string {
  return compiledPage(name)(view);
}

const compiledPage = oncePerText(pageTemplate);
