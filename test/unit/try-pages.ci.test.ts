import { posix } from "node:path";
import { expect, test } from "vitest";
import { loadServiceModel } from "../../generator/model/index.ts";
import { partOf } from "../../generator/protocols/parts.ts";
import { tryPages } from "../../tools/site/try-pages.ts";
import { readerOf } from "./diagnostics-cases.ts";
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

const tasks = `
interface:
  name: tasks
  title: Tasks
  wire: { protocol: json-rpc-2.0, params: either, batch: { max: 7 } }
  schemes: { machine: { kind: api-key, header: X-Api-Key } }
  security: [{ machine: [] }]
methods:
  list:
    effect: read
    payload: { fields: [{ name: state, type: string, optional: true }] }
    result: array of string
    examples: [{ name: open, payload: { state: OPEN }, result: [a] }]
    errors: { GONE: { condition: It was deleted. }, LOST: { condition: It was lost. } }
  touched: { doc: Says so., notify: only, security: [], payload: { fields: [{ name: id, type: string }] } }
errors:
  GONE: { code: -32010, message: Gone, action: Ask for others. }
  LOST: { code: -32010, message: Lost }
`;

test("the page that tries a standard interface knows its methods, with their examples and errors", () => {
  const { value, diagnostics } = loadServiceModel("tasks", readerOf(new Map([["tasks/all.yaml", tasks]])));
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const described = partOf(value, "reference").tried.described?.(value);
  expect(described).toMatchObject({
    title: "Tasks",
    client: { package: "tasks-client" },
    members: { id: "id", result: "result", error: "error" },
    batchMax: 7,
    schemes: { machine: { kind: "api-key", header: "X-Api-Key" } },
    methods: [
      {
        name: "list",
        doc: "",
        notify: "allowed",
        alternatives: [{ machine: [] }],
        examples: [{ name: "open", payload: { state: "OPEN" } }],
      },
      { name: "touched", doc: "Says so.", notify: "only", alternatives: [], examples: [] },
    ],
  });
  const errors: readonly (readonly [string, string])[] = Object(described).methods[0].errors;
  expect(errors).toContainEqual(["-32010", "It was deleted. Ask for others. Or: It was lost."]);
  expect(errors.map(([code]) => code)).toContain("-32602");
  expect(partOf(libraryModel(), "reference").tried.described).toBeUndefined();
});
