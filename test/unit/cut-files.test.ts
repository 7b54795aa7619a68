import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSuite } from "../../conformance/index.ts";
import { askService } from "../../runtime/operations/cli/control-socket.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "cut-files-"))));
afterEach(() => rmSync(folder, { recursive: true }));

test.for([
  ['{ "format": 3, "meth', ""],
  ['{ "format": 3 }', '{ "id": "a" }\n{ "id'],
] as const)("a suite that is cut is to be generated again: %s", ([suite, cases]) => {
  writeFileSync(join(folder, "suite.json"), suite);
  writeFileSync(join(folder, "cases.jsonl"), cases);
  expect(() => loadSuite(folder)).toThrow(`${folder} is incomplete: generate it again`);
});

test.for(["", '{ "done":'])(
  "a service that ends while it answers has ended the connection: %s",
  async (answer) => {
    const path = join(folder, "control.sock");
    const server = createServer((socket) => socket.resume().end(answer)).listen(path);
    await once(server, "listening");
    try {
      await expect(askService(path, {})).rejects.toThrow("The service ended the connection.");
    } finally {
      server.close();
    }
  },
);
