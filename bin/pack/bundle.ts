import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix, relative } from "node:path";
import { rolldown } from "rolldown";

/** The folder of the bundle, below the package. */
const bundleFolder = "bundle";
/** A file that a module names by its place beside it. */
const fileBeside = /new URL\("([\w./-]+)", import\.meta\.url\)/g;

/**
 * Puts the modules of a compiled program, and those of its threads, into few files: one costs a start about 0.3 ms. Other
 * packages stay as they are. The program's own file then only begins the bundle. `from` is the folder of the compiled
 * modules.
 */
export async function bundleProgram(folder: string, program: string, from = folder): Promise<void> {
  const threads = globSync("{ledger,runtime}/**/*.js", { cwd: from }).flatMap((file) =>
    threadsOf(from, file),
  );
  const input = [program, ...threads];
  const names = new Map(input.map((file) => [file, basename(file)]));
  if (new Set(names.values()).size < input.length) throw new Error("two threads have files of the same name");
  const transform = (code: string, id: string): string => {
    const file = relative(from, id).replaceAll("\\", "/");
    return withPlaces(code, file, names);
  };
  const bundle = await rolldown({
    cwd: from,
    input: Object.fromEntries(input.map((file) => [basename(file, ".js"), file])),
    platform: "node",
    // A module is loaded for what it exports: an import of one of a folder's exports loads no others.
    treeshake: { moduleSideEffects: false },
    external: (id) => !/^[./]/.test(id),
    plugins: [{ name: "places", transform }],
  });
  await bundle.write({ dir: join(folder, bundleFolder), chunkFileNames: "[name]-[hash].js", minify: false });
  await bundle.close();
  const begin = posix.relative(posix.dirname(program), `${bundleFolder}/${basename(program)}`);
  mkdirSync(join(folder, dirname(program)), { recursive: true });
  writeFileSync(join(folder, program), `import "${begin}";\n`);
}

/** The entries of the threads that a module starts: they are named so. */
function threadsOf(folder: string, file: string): readonly string[] {
  const text = readFileSync(join(folder, file), "utf8");
  const named = text.matchAll(/new URL\("([\w./-]+-(?:thread|worker)\.js)", import\.meta\.url\)/g);
  return [...named].map(([, path = ""]) => posix.join(posix.dirname(file.replaceAll("\\", "/")), path));
}

/** A module that names other files by their places as seen from the bundle. */
function withPlaces(code: string, file: string, names: ReadonlyMap<string, string>): string {
  const folder = posix.relative(bundleFolder, posix.dirname(file));
  const placed = code
    .replaceAll(fileBeside, (_, path: string) => {
      const named = posix.join(posix.dirname(file), path);
      const place = names.get(named) ?? posix.relative(bundleFolder, named);
      return `new URL("${place}", import.meta.url)`;
    })
    .replaceAll("import.meta.dirname", `(import.meta.dirname + "/${folder}")`)
    // A part of a bundle is not the program.
    .replaceAll("import.meta.main", "false");
  if (/import\.meta\.(?!url\b|dirname\b)/.test(placed))
    throw new Error(
      `${file} finds files by another means than import.meta.dirname and new URL(…, import.meta.url)`,
    );
  return placed;
}
