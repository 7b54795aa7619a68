import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  copyExample,
  installIn,
  packTarballs,
  runIn,
  startIn,
  succeedIn,
  type Started,
  type Tarballs,
} from "../packages/installed-project.ts";

/** What a reader of an example tries, beside its own tests: calls of the running service. */
interface Example {
  readonly name: string;
  readonly calls: (call: Call, lines: readonly string[]) => Promise<void>;
}

type Call = (
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
) => Promise<{ readonly exitCode: number; readonly value: unknown; readonly stderr: string }>;

const examples: readonly Example[] = [
  {
    name: "plain",
    async calls(call) {
      const milk = { id: 1, title: "Buy milk", state: "open" };
      expect(await call(["add", '["Buy milk"]'])).toMatchObject({ exitCode: 0, value: milk });
      expect(await call(["list", "[null]"])).toMatchObject({ exitCode: 0, value: [milk] });
    },
  },
  {
    name: "bearer-websocket",
    async calls(call, lines) {
      const [, token = ""] = /LEDGER_RPC_TOKEN=(\S+)/.exec(lines.join("\n")) ?? [];
      const said = await call(["say", '["Hello"]'], { LEDGER_RPC_TOKEN: token });
      expect(said).toMatchObject({ exitCode: 0, value: { from: "ann", text: "Hello" } });
      const refused = await call(["say", '["Hello"]'], { LEDGER_RPC_TOKEN: `${token}x` });
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(await call(["ping"])).toMatchObject({ exitCode: 0, value: null });
    },
  },
  {
    name: "ethereum",
    async calls(call) {
      expect(await call(["eth_chainId"])).toMatchObject({ exitCode: 0, value: "0x539" });
      expect(await call(["eth_getBalance", '["nothing","latest"]'])).toMatchObject({ exitCode: 1 });
    },
  },
];

let tarballs: Tarballs;
beforeAll(() => (tarballs = packTarballs()));
afterAll(() => tarballs.remove());

describe("an example, as a project of its own", () => {
  test.for(examples)("$name installs, tests, compiles, starts and answers", async ({ name, calls }) => {
    const folder = copyExample(name, tarballs);
    let service: (Started & { readonly lines: readonly string[] }) | undefined;
    try {
      await installIn(folder);
      expect(await succeedIn(folder, ["npm", "test"])).toMatch(/fail 0$/m);
      await succeedIn(folder, ["npx", "tsc"]);
      service = await startIn(folder);
      const { port } = service;
      await calls(async (args, env = {}) => {
        const command = ["npx", "ledger-rpc", "call", ...args];
        const { exitCode, stdout, stderr } = await runIn(folder, command, { PORT: port, ...env });
        return { exitCode, stderr, value: stdout === "" ? undefined : JSON.parse(stdout) };
      }, service.lines);
    } finally {
      await service?.stop();
      rmSync(dirname(folder), { recursive: true });
    }
  });
});
