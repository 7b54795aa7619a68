import { expect, test } from "vitest";
import { createAuthenticator } from "../../runtime/auth/authenticator.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { readerOf } from "../unit/diagnostics-cases.ts";
import { startMs } from "./contract.ts";
import { desk } from "./own-scheme.ts";
import { evidenceOf, plainRequest, withHeaders } from "./requests.ts";

const spec = `interface:
  name: tasks
  wire: { protocol: json-rpc-2.0 }
  schemes: { counter: { kind: x-desk, opens: 8, closes: 17 } }
  security: [{ counter: [desk] }]
methods:
  list: { payload: { fields: [] } }
`;

test("a scheme of one's own is one file: the spec declares it, the service gets a verifier", async () => {
  const { value: model, diagnostics } = loadServiceModel(
    "tasks",
    readerOf(new Map([["tasks/all.yaml", spec]])),
  );
  expect(diagnostics).toEqual([]);
  expect(model?.schemes[0]).toMatchObject({ kind: "x-desk", options: { opens: 8, closes: 17 } });
  const counter = { kind: "x-desk", opens: 8, closes: 17 };
  const method = { name: "list", security: [{ counter: ["desk"] }] };
  const tasks = { name: "tasks", schemes: { counter }, methods: { list: method } };
  const outcomeAt = async (hours: number, header: Readonly<Record<string, string>>): Promise<unknown> => {
    const clock = { now: () => startMs + hours * 3_600_000 };
    const request = createAuthenticator(tasks, { counter: desk({ north: "ann" }) }, { clock }).begin(
      evidenceOf(withHeaders(plainRequest, header)),
    );
    return request.authorize(method, { method: "list" });
  };
  const refused = { kind: "unauthenticated", challenges: [], refusal: expect.anything() };
  expect(await outcomeAt(0, { "x-desk": "north" })).toEqual({
    kind: "granted",
    auth: { counter: { caller: "ann", scopes: ["desk"] } },
  });
  expect(await outcomeAt(9, { "x-desk": "north" })).toEqual(refused);
  expect(await outcomeAt(0, { "x-desk": "toString" })).toEqual(refused);
  expect(await outcomeAt(0, {})).toEqual(refused);
});
