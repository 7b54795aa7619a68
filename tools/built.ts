/**
 * `node tools/built.ts [target …]`: builds what the config of this repository leaves to whoever needs it. Writes nothing where
 * spec and generator are as they were. It needs no more than `dependencies` install.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  configFile,
  loadConfig,
  type BuiltTarget,
  type ProjectConfig,
  type SpecTarget,
} from "../generator/cli/config.ts";
import { diskReader, readGuides } from "../generator/cli/disk-reader.ts";
import { generatorDigest } from "../generator/cli/generator-digest.ts";
import { projectFolder } from "../generator/output/folder.ts";
import type { ServiceModel } from "../generator/model/index.ts";
import { pathsOfPictures, withPictures } from "./site/pictures.ts";
import { writeOwned } from "./write-owned.ts";

/** What is built of one spec: `reference` is `<out>/reference`. */
export interface BuiltFolder {
  readonly target: SpecTarget;
  readonly name: BuiltTarget;
}

/** The folders that a config leaves to be built; of these targets alone, if any are named. */
export function builtFolders(
  { specs, built }: ProjectConfig,
  names: readonly string[] = built,
): readonly BuiltFolder[] {
  return specs.flatMap((target) =>
    built
      .filter((name) => names.includes(name) && (target.targets?.includes(name) ?? true))
      .map((name) => ({ target, name })),
  );
}

/**
 * Builds the folders that are not as spec and generator have them now. The rules of the specs are not checked again. Gives
 * the reason where a folder could not be built.
 */
export async function build(
  { root }: ProjectConfig,
  folders: readonly BuiltFolder[],
): Promise<string | undefined> {
  const stale = folders.filter((folder) => !isCurrent(root, folder));
  if (stale.length === 0) return undefined;
  const { createModelLoader } = await import("../generator/model/load-service-model.ts");
  const read = new Set<string>();
  const fromDisk = diskReader(root);
  const loadModel = createModelLoader(
    (path) => {
      read.add(path);
      return fromDisk(path);
    },
    { rules: false },
  );
  for (const { target, name } of stale) {
    const { value: model } = loadModel(target.spec);
    if (model === undefined) return `${target.spec} has errors: \`ledger-rpc check\` shows them`;
    const path = `${target.out}/${name}`;
    const files = await filesOf[name](model, target, root);
    const foreign = writeOwned(root, join(root, path), files);
    if (foreign !== undefined) return `${foreign} is in the way`;
    const stamp: Stamp = { folders: [...read], digest: digestOf(root, target, [...read]) };
    writeFileSync(join(root, path, stampFile), JSON.stringify(stamp));
  }
  return undefined;
}

type Files = ReadonlyMap<string, string | Uint8Array>;

const filesOf: Readonly<
  Record<BuiltTarget, (model: ServiceModel, target: SpecTarget, root: string) => Promise<Files>>
> = {
  conformance: async (model, { out, handlers }) => {
    const { emitter } = await import("../generator/targets/conformance/index.ts");
    const drafts = emitter.emit(model, { out, handlers, contract: "" });
    return new Map(drafts.map(({ path, text }) => [path.slice(`${out}/conformance/`.length), text]));
  },
  reference: async (model, target, root) => {
    const { siteFiles } = await import("./site/index.ts");
    const folder = projectFolder(root);
    const { guides, files } = withPictures(folder, readGuides(folder, target));
    return new Map<string, string | Uint8Array>([...siteFiles(model, { guides }), ...files]);
  },
};

/** What a folder was built of. */
interface Stamp {
  /** The spec folders that were read. */
  readonly folders: readonly string[];
  /** SHA-256 of their files, of the guides and of the generator. */
  readonly digest: string;
}

/** Written last: a folder that was built in part has none that fits. */
const stampFile = ".built.json";

function isCurrent(root: string, { target, name }: BuiltFolder): boolean {
  const stamp = readStamp(join(root, target.out, name, stampFile));
  return stamp !== undefined && digestOf(root, target, stamp.folders) === stamp.digest;
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

function digestOf(root: string, target: SpecTarget, folders: readonly string[]): string {
  const disk = projectFolder(root);
  const digest = createHash("sha256").update(generatorDigest());
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
  const folders = config && builtFolders(config, names.length === 0 ? undefined : names);
  const reason = folders ? await build(config, folders) : `${configFile} has errors`;
  if (reason !== undefined) {
    console.error(`Reference pages and suites stay as they are: ${reason}`);
    process.exitCode = 1;
  }
}
