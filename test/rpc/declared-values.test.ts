import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadEmitters, wantedEmitters } from "../../generator/targets/index.ts";
import { prints } from "../../generator/targets/prints.ts";
import { openRpcDocument } from "../../generator/protocols/json-rpc/documents/openrpc.ts";
import { loadServiceModel } from "../../generator/model/build-model.ts";
import type { ServiceModel } from "../../generator/model/service-model.ts";
import { standardMock } from "../../tools/protocols/json-rpc/mock.ts";
import { createObjects } from "../../tools/mock/objects.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { testPeer, testService, type TestPeer } from "../../runtime/testing.ts";
import { decimal, RpcError, type JsonRpcInterfaceDescriptor } from "../../runtime/contract/index.ts";
import { createProject, type Project } from "../unit/emit-project.ts";

const spec = String.raw`
interface: { name: till, doc: 'Says ${"`$"}{till}${"`"} and \u0041.', wire: { protocol: json-rpc-2.0, params: either, transports: [http, websocket] } }
types:
  Money: { fields: [{ name: amount, type: money }, { name: note, type: string, optional: true }] }
  Card: { closed: true, fields: [{ name: kind, type: string, const: card }, { name: number, type: string }, { name: fee, type: money, optional: true }] }
  Cash: { fields: [{ name: till, type: integer }, { name: fee, type: integer, optional: true }] }
  Pay: { oneOf: { discriminator: kind, cases: { card: Card, cash: Cash } } }
  Node: { fields: [{ name: left, type: Node|Leaf, optional: true }, { name: weight, type: money }] }
  Leaf: { fields: [{ name: left, type: Leaf|Node, optional: true }, { name: leaf, type: boolean }] }
errors: { NOT_PAID: { code: -32012, message: Pay first, data: Money } }
events: { changed: { payload: Money, otherCauses: [A sale.] } }
methods:
  every:
    effect: set
    payload:
      fields:
        - { name: plain, type: money }
        - { name: list, type: array of money, optional: true }
        - { name: map, type: map of Money, optional: true }
        - { name: pair, type: "tuple of [money, string]", optional: true }
        - { name: either, type: money|string, optional: true }
        - { name: or, type: Money|boolean, optional: true }
        - { name: none, type: money|null, optional: true }
        - { name: pay, type: Pay, optional: true }
        - { name: tree, type: Node, optional: true }
        - { name: big, type: bigint, optional: true }
        - { name: preset, type: money, default: 1.5 }
    result: json
  answer: { effect: read, payload: { fields: [{ name: which, type: string }] }, result: Pay|Node|array of Money }
  one: { effect: read, result: { closed: true, fields: [{ name: id, type: integer }, { name: note, type: string, optional: true }] } }
  fail: { effect: read, result: money, errors: { NOT_PAID: {} } }
`;

let project: Project;
let peer: TestPeer;
let answered: unknown;
const received: object[] = [];

let model: ServiceModel;

beforeAll(async () => {
  const { value, diagnostics } = loadServiceModel("spec", () => [sourceText("spec/till.yaml", spec)]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  model = value;
  const layout = { out: "generated/till", handlers: "bodies", contract: "runtime/contract/index.ts" };
  const emitters = wantedEmitters(await loadEmitters(), ["methods"]).filter((each) => prints(each, value));
  project = await createProject(emitters.flatMap((emitter) => emitter.emit(value, layout)));
  const module: { readonly tillInterface: JsonRpcInterfaceDescriptor } = await import(
    pathToFileURL(join(project.root, "generated/till/methods.ts")).href
  );
  peer = testService(module.tillInterface, {
    every: async (payload: object) => {
      received.push(payload);
      return payload;
    },
    answer: async () => answered,
    one: async () => ({ id: 1, passwordHash: "secret", note: undefined }),
    fail: async (_payload: object, { notify }: { notify: (name: string, params: object) => void }) => {
      notify("changed", { amount: decimal("7.70"), passwordHash: "secret", note: undefined });
      throw new RpcError("NOT_PAID", { data: Object({ amount: decimal("1.10"), passwordHash: "secret" }) });
    },
  });
});

afterAll(() => project.remove());

async function answerTo(method: string, params: string): Promise<string> {
  return (await peer.send(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`)) ?? "";
}

test("amounts keep their digits wherever they stand, into the handler and back", async () => {
  const params =
    '{"plain":1.10,"list":[2.20,3.00],"map":{"a":{"amount":4.40}},"pair":[5.50,"x"],"either":6.60,"or":{"amount":7.70},' +
    '"none":8.80,"pay":{"kind":"card","number":"1","fee":9.90},"tree":{"weight":1.00,"left":{"leaf":true,"left":{"weight":2.0}}},' +
    '"big":12345678901234567890}';
  const text = await answerTo("every", params);
  expect(text).toBe(`{"jsonrpc":"2.0","result":{"preset":1.5,${params.slice(1)},"id":1}`);
  const [{ plain, list, pay, tree, preset, big }] = received.map((each) => Object(each));
  expect([plain.lexeme, list[1].lexeme, pay.fee.lexeme, tree.left.left.weight.lexeme, preset.lexeme]).toEqual(
    ["1.10", "3.00", "9.90", "2.0", "1.5"],
  );
  expect(big).toBe(12345678901234567890n);
});

test("the case that the discriminator names decides whether a number is an amount", async () => {
  await answerTo("every", '{"plain":1,"pay":{"kind":"cash","till":1,"fee":3}}');
  expect(Object(received.at(-1)).pay.fee).toBe(3);
});

test("errors come from the case that the discriminator names, and an unknown one is told the cases", async () => {
  const dataOf = async (pay: string): Promise<unknown> =>
    JSON.parse(await answerTo("every", `{"plain":1,"pay":${pay}}`)).error.data;
  expect(await dataOf('{"kind":"cash"}')).toEqual({ field: "/pay/till", reason: "required" });
  expect(await dataOf('{"kind":"card","number":"1","x":1}')).toEqual({
    field: "/pay/x",
    reason: "additionalProperties",
  });
  const unknown = { field: "/pay/kind", reason: "enum", allowed: ["card", "cash"] };
  expect(await dataOf('{"kind":"toString"}')).toEqual(unknown);
  expect(await dataOf('{"kind":1}')).toEqual(unknown);
  expect(await dataOf('{"till":1}')).toEqual({ field: "/pay/kind", reason: "required" });
});

test("an amount of more than 15 digits is refused by name", async () => {
  expect(await answerTo("every", '{"plain":1,"map":{"a":{"amount":1.2345678901234567}}}')).toContain(
    '"data":{"field":"/map/a/amount","reason":"digits"}',
  );
});

test("by position, too", async () => {
  await answerTo("every", "[1.10]");
  expect(Object(received.at(-1)).plain.lexeme).toBe("1.10");
});

test("members that are not declared are never sent, and undefined is absent", async () => {
  expect(await answerTo("one", "{}")).toBe('{"jsonrpc":"2.0","result":{"id":1},"id":1}');
  expect(await answerTo("fail", "{}")).toContain('"data":{"amount":1.10}}');
  expect(JSON.stringify(peer.notifications)).toContain("changed");
  const secret = { passwordHash: "secret" };
  const answers: readonly (readonly [unknown, string])[] = [
    [
      { kind: "card", number: "1", fee: decimal("1.10"), ...secret },
      '{"kind":"card","number":"1","fee":1.10}',
    ],
    [
      { weight: decimal("1.0"), left: { leaf: true, ...secret }, ...secret },
      '{"weight":1.0,"left":{"leaf":true}}',
    ],
    [[{ amount: decimal("1.10"), ...secret }], '[{"amount":1.10}]'],
  ];
  for (const [value, sent] of answers) {
    answered = value;
    expect(await answerTo("answer", '{"which":"x"}')).toBe(`{"jsonrpc":"2.0","result":${sent},"id":1}`);
  }
});

test("the service and the mock answer `rpc.discover` with the document that is exported", async () => {
  const { wire } = model;
  if (wire.protocol === "signed-envelope") throw new Error("till is a standard interface");
  const exported: unknown = JSON.parse(JSON.stringify(openRpcDocument(model)));
  expect(exported).toMatchObject({ info: { description: "Says `${till}` and \\u0041." } });
  expect(await peer.call("rpc.discover")).toEqual(exported);
  const nothing = () => undefined;
  const served = { model, seed: 1, objects: createObjects(model, {}), errors: new Map() };
  const mock = standardMock(undefined, { ...served, onCall: nothing, onResult: nothing });
  expect(await testPeer(mock).call("rpc.discover")).toEqual(exported);
});
