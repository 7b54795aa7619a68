import { parse, parseDocument, stringify } from "yaml";

/** A plain value as YAML, without anchors; long texts are folded. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 110, aliasDuplicateObjects: false });
}

/** The plain value of a YAML text that is no spec: throws where it is none, or where aliases multiply it. */
export function plainYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 100 });
}

/** The text with one more item in a list at the top; its comments stay. */
export function withItem(text: string, list: string, item: Readonly<Record<string, string>>): string {
  const document = parseDocument(text);
  document.addIn([list], document.createNode(item));
  return document.toString({ lineWidth: 0 });
}
