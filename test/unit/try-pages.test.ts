import { posix } from "node:path";
import { expect, test } from "vitest";
import { tryPages } from "../../generator/site/try-pages.ts";
import { libraryModel } from "./emit-library-model.ts";

test("the modules of the page that tries an interface import what is beside them", () => {
  const files = tryPages(libraryModel());
  const imported = [...files]
    .filter(([path]) => path.endsWith(".js"))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\b(?:from|import) ?"(\.[^"]+)"/g)].map(([, specifier = ""]) =>
        posix.join(posix.dirname(path), specifier),
      ),
    );
  expect(imported).toContain("try/city-library/generated/city-library/validators/support.js");
  const page = [...files].find(([path]) => path.endsWith("web/try/envelope.js"))?.[1] ?? "";
  const loaded = [...page.matchAll(/`client\/([\w-]+)\.\$/g)].map(
    ([, name = ""]) => `try/city-library/generated/city-library/client/${name}.js`,
  );
  expect(loaded.length).toBeGreaterThan(2);
  expect([...imported, ...loaded].filter((path) => !files.has(path))).toEqual([]);
});
