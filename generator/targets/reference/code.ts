import { createRequire } from "node:module";
import type { ExampleModel, MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { payloadShapes, readingOf } from "../../model/index.ts";
import { instanceOf, type SampleReading } from "../../../conformance/samples/index.ts";

/** A text as HTML: escaped, and in it `span`s that say what each part is. */
export type CodeHtml = string;

/** What is used of highlight.js. Its own declarations bring the types of a browser into every module. */
interface Highlighter {
  newInstance(): Highlighter;
  configure(options: { readonly classPrefix: string }): void;
  getLanguage(name: string): object | undefined;
  registerLanguage(name: string, language: LanguageFn): void;
  highlight(text: string, options: { readonly language: string }): { readonly value: string };
}

type LanguageFn = (highlighter: Highlighter) => object;

/** The languages that pages show; any other is shown plain. */
export type CodeLanguage = keyof typeof languages;

const languages = {
  bash: (): LanguageFn => createRequire(import.meta.url)("highlight.js/lib/languages/bash"),
  go: (): LanguageFn => createRequire(import.meta.url)("highlight.js/lib/languages/go"),
  java: (): LanguageFn => createRequire(import.meta.url)("highlight.js/lib/languages/java"),
  json: (): LanguageFn => createRequire(import.meta.url)("highlight.js/lib/languages/json"),
  python: (): LanguageFn => createRequire(import.meta.url)("highlight.js/lib/languages/python"),
  typescript: (): LanguageFn => createRequire(import.meta.url)("highlight.js/lib/languages/typescript"),
  yaml: (): LanguageFn => createRequire(import.meta.url)("highlight.js/lib/languages/yaml"),
} as const;

/** Other names of languages in Markdown. */
const aliases: Readonly<Record<string, CodeLanguage>> = {
  console: "bash",
  js: "typescript",
  py: "python",
  sh: "bash",
  shell: "bash",
  ts: "typescript",
  yml: "yaml",
};

export function highlighted(text: string, language: CodeLanguage): CodeHtml {
  const library = load();
  if (library.getLanguage(language) === undefined) library.registerLanguage(language, languages[language]());
  return library
    .highlight(text, { language })
    .value.replaceAll(/<span class="c-(?:punctuation|operator|params)">([^<]*)<\/span>/g, "$1");
}

/** The HTML of a text within which nothing is highlighted. */
export function escapedCode(text: string): CodeHtml {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#x27;");
}

/** The language that a fence of Markdown names; undefined for one that is shown plain. */
export function languageOf(name: string): CodeLanguage | undefined {
  const known = Object.keys(languages).find((each): each is CodeLanguage => each === name);
  return known ?? aliases[name];
}

/** A value as indented JSON, as `highlighted` shows it. JSON has few kinds of tokens, so it needs no library. */
export function jsonHtml(value: unknown): CodeHtml {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /("(?:[^"\\]|\\.)*")(:)?|-?\d[\w.+-]*|true|false|null/g,
    (token: string, text?: string, colon?: string) => {
      if (text !== undefined) return colon === undefined ? part("string", text) : `${part("attr", text)}:`;
      return part(/^[-\d]/.test(token) ? "number" : "keyword", token);
    },
  );
}

function part(kind: string, text: string): CodeHtml {
  return `<span class="c-${kind}">${escapedCode(text)}</span>`;
}

let loaded: Highlighter | undefined;

/** Loaded with the first code: other targets do without it. */
function load(): Highlighter {
  if (loaded !== undefined) return loaded;
  const library: Highlighter = createRequire(import.meta.url)("highlight.js/lib/core");
  loaded = library.newInstance();
  loaded.configure({ classPrefix: "c-" });
  return loaded;
}

/** The examples of a method; where the spec has none, one that is made of its types. */
export function examplesOf(method: MethodModel, model: ServiceModel): readonly ExampleModel[] {
  return method.examples.length > 0 ? method.examples : [madeExample(method, model)];
}

/** The payload of the first example that succeeds. */
export function payloadOf(method: MethodModel, model: ServiceModel): unknown {
  const example = method.examples.find(({ result }) => result !== undefined);
  return (example ?? madeExample(method, model)).payload;
}

function madeExample({ payload, result }: MethodModel, model: ServiceModel): ExampleModel {
  const [first] = payloadShapes(payload);
  const made = (shape: Shape | undefined, direction: SampleReading["direction"]): unknown =>
    shape === undefined ? {} : instanceOf(shape, "minimal", plainReading(model, direction));
  return { name: "Smallest request", payload: made(first, "request"), result: made(result, "response") };
}

/** Makes values of the interface's types; a field's own example where it has one. */
export function plainReading(model: ServiceModel, direction: SampleReading["direction"]): SampleReading {
  return readingOf(model, direction, (field) => field.example);
}
