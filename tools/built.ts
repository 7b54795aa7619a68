/**
 * `node tools/built.ts [target …]`: builds what the config of this repository leaves to whoever needs it. Writes nothing where
 * spec and generator are as they were. It needs no more than `dependencies` install.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type BuiltTarget,
  configFile,
  loadConfig,
  type ProjectConfig,
  type SpecTarget,
} from "../generator/cli/config.ts";
import { diskReader, readGuides } from "../generator/cli/disk-reader.ts";
import { generatorDigest } from "../generator/cli/generator-digest.ts";
import type { ServiceModel } from "../generator/model/index.ts";
import { projectFolder } from "../generator/output/folder.ts";
import { pathsOfPictures, withPictures } from "./site/index.ts";
import { listOwned, writeOwned } from "./write-owned.ts";

/** What is built of one spec in one folder: `reference` in `<out>/reference`, its documents together in `out`. */
export interface BuiltPart {
  readonly target: SpecTarget;
  readonly folder: string;
  readonly names: readonly BuiltTarget[];
}

/** The parts that a config leaves to be built; those of some targets alone, if any are named. */
export function builtParts(
  { specs, built }: ProjectConfig,
  wanted: readonly string[] = [],
): readonly BuiltPart[] {
  const parts = specs.flatMap((target) => {
    const names = [...new Set([...built, ...(target.built ?? [])])].filter(
      (name) => target.targets?.includes(name) ?? true,
    );
    const folders = names.filter((name) => !isDocument(name));
    return [
      ...folders.map((name) => ({ target, folder: `${target.out}/${name}`, names: [name] })),
      { target, folder: target.out, names: names.filter(isDocument) },
    ];
  });
  return parts.filter(({ names }) => names.some((name) => wanted.length === 0 || wanted.includes(name)));
}

function isDocument(name: BuiltTarget): boolean {
  return name !== "conformance" && name !== "reference";
}

/**
 * Builds the parts that are not as spec and generator have them now. The rules of the specs are not checked again. Gives
 * the reason where one could not be built.
 */
export async function build(
  { root }: ProjectConfig,
  parts: readonly BuiltPart[],
): Promise<string | undefined> {
  const stale = parts.filter((part) => !isCurrent(root, part));
  if (stale.length === 0) return undefined;
  const { createModelLoader } = await import("../generator/model/build-model.ts");
  const read = new Set<string>();
  const fromDisk = diskReader(root);
  const loadModel = createModelLoader(
    (path) => {
      read.add(path);
      return fromDisk(path);
    },
    { rules: false },
  );
  for (const part of stale) {
    const { target, folder } = part;
    const { value: model } = loadModel(target.spec);
    if (model === undefined) return `${target.spec} has errors: \`ledger-rpc check\` shows them`;
    const files = await filesOf(model, part, root);
    const foreign = writeOwned(root, join(root, folder), files);
    if (foreign !== undefined) return `${foreign} is in the way`;
    const stamp: Stamp = { folders: [...read], digest: digestOf(root, part, [...read]) };
    writeFileSync(join(root, folder, stampFile), JSON.stringify(stamp));
  }
  return undefined;
}

/** Texts by their paths in the folder. */
async function filesOf(
  model: ServiceModel,
  { target, folder, names }: BuiltPart,
  root: string,
): Promise<ReadonlyMap<string, string | Uint8Array>> {
  if (names.includes("reference")) {
    const { siteFiles } = await import("./site/index.ts");
    const project = projectFolder(root);
    const { guides, files } = withPictures(project, readGuides(project, target));
    return new Map<string, string | Uint8Array>([...siteFiles(model, { guides }), ...files]);
  }
  const { loadEmitters } = await import("../generator/targets/index.ts");
  const { out, handlers } = target;
  const emitters = await loadEmitters(names);
  const drafts = emitters.flatMap((emitter) => emitter.emit(model, { out, handlers, contract: "" }));
  return new Map(drafts.map(({ path, text }) => [path.slice(folder.length + 1), text]));
}

/** What a folder was built of. */
interface Stamp {
  /** The spec folders that were read. */
  readonly folders: readonly string[];
  /** SHA-256 of their files, of the guides and of the generator. */
  readonly digest: string;
}

/** Written last: a folder that was built in part has none that fits. */
const stampFile = ".built.json";

function isCurrent(root: string, part: BuiltPart): boolean {
  const stamp = readStamp(join(root, part.folder, stampFile));
  return (
    stamp !== undefined &&
    digestOf(root, part, stamp.folders) === stamp.digest &&
    listOwned(join(root, part.folder)).every((path) => existsSync(join(root, part.folder, path)))
  );
}

/** Undefined for a missing stamp or a part of one: a full disk or a kill may cut a file. */
function readStamp(file: string): Stamp | undefined {
  try {
    const stamp: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isStamp(stamp) ? stamp : undefined;
  } catch {
    return undefined;
  }
}

function isStamp(value: unknown): value is Stamp {
  if (typeof value !== "object" || value === null || !("folders" in value && "digest" in value)) return false;
  const { folders, digest } = value;
  return (
    Array.isArray(folders) && folders.every((each) => typeof each === "string") && typeof digest === "string"
  );
}

function digestOf(root: string, { target, names }: BuiltPart, folders: readonly string[]): string {
  const disk = projectFolder(root);
  const digest = createHash("sha256").update(generatorDigest()).update(names.join());
  const guides = readGuides(disk, target).flatMap((guide) => [
    guide.path,
    ...pathsOfPictures(guide).values(),
  ]);
  for (const path of [...folders.flatMap((folder) => disk.list(folder)), ...guides])
    digest.update(`\n${path} ${disk.digest(path) ?? "gone"}`);
  return digest.digest("hex");
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  const { value: config } = loadConfig(join(import.meta.dirname, "..", configFile), "read");
  const reason = config ? await build(config, builtParts(config, names)) : `${configFile} has errors`;
  if (reason !== undefined) {
    console.error(`Reference pages, suites and documents stay as they are: ${reason}`);
    process.exitCode = 1;
  }
}
