import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { root } from "./folder.ts";

const Bom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ "bom-ref": z.string() }) }),
  components: z.array(z.looseObject({ "bom-ref": z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string().optional(),
  license: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * Writes the bill of materials of a tarball beside it: CycloneDX 1.5, with what package-lock.json installs for the
 * package's dependencies at any depth. It names the tarball's SHA-512 and no time, so the same commit gives the same
 * bytes. Gives the path of the document.
 */
export function writeBom(tarball: string): string {
  const packed = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
  const manifest = Manifest.parse(JSON.parse(packed));
  const whole = lockedPackages();
  const wanted = new Set([
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.optionalDependencies),
    ...Object.keys(manifest.peerDependencies),
  ]);
  const dependsOn = new Map(whole.dependencies.map((entry) => [entry.ref, entry.dependsOn]));
  const own = (dependsOn.get(whole.metadata.component["bom-ref"]) ?? []).filter((ref) =>
    wanted.has(nameOf(ref)),
  );
  const reached = new Set(own);
  for (const ref of reached) for (const next of dependsOn.get(ref) ?? []) reached.add(next);
  const ref = `${manifest.name}@${manifest.version}`;
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        "bom-ref": ref,
        type: "library",
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        purl: `pkg:npm/${manifest.name.replace("@", "%40")}@${manifest.version}`,
        hashes: [{ alg: "SHA-512", content: digestOf(tarball) }],
        ...(manifest.license === undefined ? {} : { licenses: [{ license: { id: manifest.license } }] }),
      },
    },
    components: whole.components
      .filter((component) => reached.has(component["bom-ref"]))
      // npm marks development tools of this repository, which may be dependencies of the package.
      .map((component) => ({ ...component, scope: "required", properties: undefined })),
    dependencies: [{ ref, dependsOn: own }, ...whole.dependencies.filter((entry) => reached.has(entry.ref))],
  };
  const file = join(dirname(tarball), `${basename(tarball, ".tgz")}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(bom, undefined, 2)}\n`);
  return file;
}

/** What package-lock.json holds, by npm's own reading of it. It asks no registry. */
function lockedPackages(): z.infer<typeof Bom> {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const printed = execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return Bom.parse(JSON.parse(printed));
}

/** `@scope/name@1.2.3` → `@scope/name` */
function nameOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf("@"));
}

function digestOf(file: string): string {
  return createHash("sha512").update(readFileSync(file)).digest("hex");
}
