import { existsSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { diagnosticOf, type Diagnostic, type Result } from "../diagnostics/index.ts";
import { sourceText } from "../source/index.ts";
import { parseYaml, type MapNode, type Node } from "../syntax/index.ts";
import { projectFolder, type ProjectFolder } from "../output/index.ts";
import { closest } from "../spec/closest.ts";

/** What is generated from what. Paths are relative to `root`, with forward slashes. */
export interface ProjectConfig {
  /** The config file, absolute. */
  readonly file: string;
  /** Its folder. */
  readonly root: string;
  readonly specs: readonly SpecTarget[];
  readonly contract: string;
}

export interface SpecTarget {
  readonly spec: string;
  readonly out: string;
  readonly handlers: string;
}

export const configFile = "ledger-rpc.yaml";

/** The config file that is meant: the one given, or the nearest one from a folder upwards. Undefined if none. */
export function findConfig(from: string, given: string | undefined): string | undefined {
  if (given !== undefined) return existsSync(resolve(from, given)) ? resolve(from, given) : undefined;
  const path = join(from, configFile);
  if (existsSync(path)) return path;
  return dirname(from) === from ? undefined : findConfig(dirname(from), undefined);
}

/** Reads and checks a config file. Every mistake is reported, with its place. */
export function loadConfig(path: string): Result<ProjectConfig> {
  const root = dirname(path);
  const name = path.slice(root.length + 1);
  const folder = projectFolder(root);
  const text = folder.read(name)?.toString() ?? "";
  const { value: node, diagnostics: syntax } = parseYaml(sourceText(name, text));
  if (node === undefined) return { diagnostics: syntax.map(asError) };
  const reader = configReader(folder);
  const config = reader.config(path, node);
  const diagnostics = [...syntax, ...reader.diagnostics];
  return config === undefined || diagnostics.length > 0 ? { diagnostics } : { value: config, diagnostics };
}

/** An empty config is no mistake of YAML, but nothing can be generated from it. */
function asError(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "error" };
}

function configReader(folder: ProjectFolder) {
  const diagnostics: Diagnostic[] = [];

  const fields = (map: MapNode, known: readonly string[]): ReadonlyMap<string, Node> => {
    const values = new Map(map.entries.map(({ key, value }) => [key, value]));
    for (const { key, keySpan } of map.entries) {
      if (!known.includes(key))
        diagnostics.push(
          diagnosticOf(
            "config-unknown-key",
            { key, known, suggestion: closest(key, known) },
            { span: keySpan },
          ),
        );
    }
    for (const key of known) {
      if (!values.has(key)) diagnostics.push(diagnosticOf("config-missing-key", { key }, { span: map.span }));
    }
    return values;
  };

  const path = (key: string, node: Node | undefined): string | undefined => {
    if (node === undefined) return undefined;
    if (node.kind !== "scalar" || typeof node.value !== "string" || node.value === "") {
      diagnostics.push(
        diagnosticOf("config-wrong-type", { key: `\`${key}\``, wanted: "a path" }, { span: node.span }),
      );
      return undefined;
    }
    const normal = posix.normalize(node.value).replace(/\/$/, "");
    const isBelow = !/^\.{0,2}$|^\.\.\/|^\/|^[A-Za-z]:|\\/.test(normal);
    if (!isBelow) diagnostics.push(diagnosticOf("config-path", { path: node.value }, { span: node.span }));
    return isBelow ? normal : undefined;
  };

  const existing = (kind: string, value: string | undefined, node: Node | undefined): string | undefined => {
    if (value === undefined || node === undefined) return undefined;
    if (existsSync(join(folder.root, value))) return value;
    diagnostics.push(diagnosticOf("config-path-not-found", { path: value, kind }, { span: node.span }));
    return undefined;
  };

  const claimed: string[] = [];
  const apart = (value: string | undefined, node: Node | undefined): string | undefined => {
    if (value === undefined || node === undefined) return undefined;
    const other = claimed.find(
      (each) => `${each}/`.startsWith(`${value}/`) || `${value}/`.startsWith(`${each}/`),
    );
    if (other !== undefined)
      diagnostics.push(diagnosticOf("config-overlap", { path: value, other }, { span: node.span }));
    claimed.push(value);
    return value;
  };

  const target = (node: Node): SpecTarget | undefined => {
    if (node.kind !== "map") {
      const wanted = "a mapping with `spec`, `out` and `handlers`";
      diagnostics.push(
        diagnosticOf("config-wrong-type", { key: "each of `specs`", wanted }, { span: node.span }),
      );
      return undefined;
    }
    const values = fields(node, ["spec", "out", "handlers"]);
    const at = (key: string) => apart(path(key, values.get(key)), values.get(key));
    const spec = existing("folder", at("spec"), values.get("spec"));
    const out = at("out");
    const handlers = at("handlers");
    return spec === undefined || out === undefined || handlers === undefined
      ? undefined
      : { spec, out, handlers };
  };

  const config = (file: string, node: Node): ProjectConfig | undefined => {
    if (node.kind !== "map") {
      const wanted = "a mapping with `specs` and `contract`";
      diagnostics.push(diagnosticOf("config-wrong-type", { key: "the config", wanted }, { span: node.span }));
      return undefined;
    }
    const values = fields(node, ["specs", "contract"]);
    const list = values.get("specs");
    if (list !== undefined && (list.kind !== "list" || list.items.length === 0)) {
      diagnostics.push(
        diagnosticOf(
          "config-wrong-type",
          { key: "`specs`", wanted: "a list of at least one spec" },
          { span: list.span },
        ),
      );
    }
    const specs = list?.kind === "list" ? list.items.map(target) : [];
    const contract = existing("file", path("contract", values.get("contract")), values.get("contract"));
    return contract === undefined
      ? undefined
      : { file, root: folder.root, specs: specs.filter((each) => each !== undefined), contract };
  };

  return { diagnostics, config };
}
