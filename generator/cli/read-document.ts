import { readFileSync } from "node:fs";
import { jsonOf, type Json } from "../import/index.ts";
import { plainYaml } from "../syntax/index.ts";

/** A JSON or, by the file's name, a YAML document; throws where it is neither. */
export function readDocumentFile(path: string): Json {
  const text = readFileSync(path, "utf8");
  return jsonOf(/\.ya?ml$/i.test(path) ? plainYaml(text) : JSON.parse(text));
}
