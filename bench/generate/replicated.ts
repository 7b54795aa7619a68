/** One file of a spec, parsed. */
export interface SpecFile {
  readonly path: string;
  readonly content: unknown;
}

type Mapping = Readonly<Record<string, unknown>>;

const replicatedSections = ["types", "methods", "events", "states"];

/**
 * A spec with `factor` times as many types, methods, events and state machines: each copy refers to the copies of
 * what the original refers to. Flat methods stay single, because a body selects one method.
 */
export function replicated(files: readonly SpecFile[], factor: number): readonly SpecFile[] {
  const names = new Set(
    files.flatMap(({ content }) =>
      replicatedSections.flatMap((section) => Object.keys(mapping(mapping(content)[section]))),
    ),
  );
  const copies = Array.from({ length: factor - 1 }, (_, at) => `X${at + 2}`);
  return [
    ...files,
    ...copies.flatMap((suffix) =>
      files.map(({ path, content }) => ({
        path: `${suffix}/${path}`,
        content: copyOf(mapping(content), suffix, names),
      })),
    ),
  ].filter(({ content }) => Object.keys(mapping(content)).length > 0);
}

function copyOf(content: Mapping, suffix: string, names: ReadonlySet<string>): Mapping {
  const sections = replicatedSections.map((section) => {
    const definitions = Object.entries(mapping(content[section])).filter(
      ([, definition]) => !("flat" in mapping(definition)),
    );
    return [
      section,
      Object.fromEntries(
        definitions.map(([name, definition]) => [name + suffix, renamed(definition, suffix, names)]),
      ),
    ] as const;
  });
  return Object.fromEntries(sections.filter(([, definitions]) => Object.keys(definitions).length > 0));
}

/** The same value with every reference to a name of the spec turned into one to its copy. */
function renamed(value: unknown, suffix: string, names: ReadonlySet<string>, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, suffix, names, key));
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, item]) => [
      name,
      name === "examples" ? item : renamed(item, suffix, names, name),
    ]);
    // The client names a list by its items, which are alike in all copies.
    if (key === "paging") members.push(["name", `${String(mapping(value)["items"])}${suffix}`]);
    return Object.fromEntries(members);
  }
  if (typeof value !== "string" || !["type", "payload", "result", "emits", "by"].includes(key)) return value;
  const name = value.replace(/^array of /, "");
  return names.has(name) ? value + suffix : value;
}

function mapping(value: unknown): Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
