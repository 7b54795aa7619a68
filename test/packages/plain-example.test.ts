import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { templateFiles } from "../../generator/cli/init/template.ts";

const example = join(import.meta.dirname, "../../examples/plain");
const ofTemplate = templateFiles("minimal", {
  name: "plain",
  camel: "plain",
  pascal: "Plain",
  title: "Plain",
});
const shared = [...ofTemplate].filter(([path]) => /^(?:(?:spec|src|test)\/|ledger-rpc\.yaml$)/.test(path));

// A reader of examples/plain sees what `ledger-rpc init --template minimal` makes, and neither may go its own way.
describe("examples/plain has the files of the template minimal", () => {
  test.each(shared)("%s", (path, text) => {
    const file = join(example, path);
    expect(existsSync(file), `copy templates/project/minimal/${path} to examples/plain`).toBe(true);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
