import { changelogText, diffModels } from "../../diff/index.ts";
import type { Documented, ServiceModel } from "../../model/service-model.ts";
import { jsonText } from "../../print/literals.ts";
import { markdownCode, markdownText } from "../../print/markdown.ts";
import { packageName, packageVersion } from "./readme-parts.ts";

/** What a package offers: its modules, and whether it signs by private keys. */
export interface Offer {
  readonly entries: readonly string[];
  readonly signs: boolean;
}

/** The files that make the folder a package: manifest, README and, where there is something to tell, a changelog. */
export function packageFiles(
  model: ServiceModel,
  frontPage: string,
  offer: Offer,
): Readonly<Record<string, string>> {
  const isTold =
    model.serves !== undefined ||
    thingsOf(model).some(({ since, deprecated }) => since !== undefined || deprecated !== undefined);
  return {
    ...(isTold && { "CHANGELOG.md": changelog(model) }),
    "README.md": frontPage,
    "package.json": jsonText(manifest(model, offer, isTold)),
  };
}

/** As it is published: beside the compiled modules. */
function manifest(model: ServiceModel, { entries, signs }: Offer, isTold: boolean) {
  const exported = entries.map((entry) => {
    const conditions = {
      import: { types: `./${entry}.d.ts`, default: `./${entry}.js` },
      require: { types: `./${entry}.d.cts`, default: `./${entry}.cjs` },
    };
    return [entry === "index" ? "." : `./${entry}`, conditions];
  });
  return {
    name: packageName(model),
    version: packageVersion(model.revision),
    description: `Client for ${model.title}`,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.3" },
    main: "./index.cjs",
    types: "./index.d.cts",
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    ...(signs && {
      browser: Object.fromEntries(
        ["ts", "js", "cjs"].map((form) => [`./node-signer.${form}`, `./no-node-signer.${form}`]),
      ),
    }),
    files: ["*.js", "*.cjs", "*.d.ts", "*.d.cts", ...(isTold ? ["CHANGELOG.md"] : [])],
    ...(entries.includes("schemas") && {
      peerDependencies: { zod: "^4.0.0" },
      peerDependenciesMeta: { zod: { optional: true } },
    }),
  };
}

/** `CHANGELOG.md`, newest first: what each revision changed in the one before it, as far back as the spec knows them. */
function changelog(model: ServiceModel): string {
  const models = [...(model.serves ?? []).map((served) => served.model), model];
  const changes = models.slice(1).map((recent, at) => {
    const text = changelogText(diffModels(models[at] ?? recent, recent));
    return `## ${recent.revision}\n\n${text}`;
  });
  const sections = [...changes.toReversed(), ...additions(models[0] ?? model)];
  return `# Changelog of ${packageName(model)}\n\nEach heading is a revision of the interface. The package has a version of its own.\n\n${sections.join("\n\n")}\n`;
}

/** The additions of a revision and those before it, by `since`. */
function additions(model: ServiceModel): readonly string[] {
  const things = thingsOf(model);
  const added = Map.groupBy(
    things.filter(({ since }) => since !== undefined),
    ({ since = "" }) => since,
  );
  const revisions = [...new Set([model.revision, ...added.keys()])].toSorted(newestFirst);
  const deprecated = things.filter((thing) => thing.deprecated !== undefined);
  return revisions.map((revision) => {
    const lines = (added.get(revision) ?? []).map(({ name }) => `- Added ${name}.`);
    const notices =
      revision === model.revision
        ? deprecated.map(({ name, deprecated: why }) => `- Deprecated ${name}: ${markdownText(why ?? "")}`)
        : [];
    const all = [...lines, ...notices];
    const operations = model.methods.flatMap(({ payload, name }) =>
      payload.kind === "forms" ? payload.forms.map((form) => form.name) : [name],
    );
    const counts = `- ${operations.length} operations, ${model.errors.length} error codes, ${model.events.length} kinds of events.`;
    return [`## ${revision}`, "", ...(all.length === 0 ? [counts] : all)].join("\n");
  });
}

/** What a revision may have added, each with its name. */
function thingsOf(model: ServiceModel) {
  return [
    ...model.methods.map((method) => ({ ...named(markdownCode(method.name), method) })),
    ...model.types.map((type) => named(`the type ${markdownCode(type.name)}`, type)),
    ...model.types.flatMap((type) =>
      type.shape.kind === "object"
        ? type.shape.fields.map((field) => named(markdownCode(`${type.name}.${field.name}`), field))
        : [],
    ),
    ...model.errors.map((error) => named(`the code ${markdownCode(error.code)}`, error)),
    ...model.events.map((event) => named(`the event ${markdownCode(event.name)}`, event)),
  ];
}

function named(name: string, { since, deprecated }: Documented) {
  return { name, since, deprecated };
}

function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, "en", { numeric: true });
}
