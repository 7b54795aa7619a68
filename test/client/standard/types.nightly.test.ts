import { afterAll, beforeAll, expect, test } from "vitest";
import { emitter } from "../../../generator/targets/client/index.ts";
import { loadEmitters } from "../../../generator/targets/index.ts";
import { prints } from "../../../generator/targets/prints.ts";
import { loadServiceModel } from "../../../generator/model/build-model.ts";
import { sourceText } from "../../../generator/language/source/index.ts";
import { compile, type Project, createProject } from "../../unit/emit-project.ts";
import { tasksClient, tasksLayout, tasksModel } from "./tasks.ts";

/** What callers may write, and what the compiler has to refuse. */
const use = `import { createTasksClient, createTasksSocket, allTasks, GoneError, type Task } from "../tasks/client/index.ts";
import { FakeTasks } from "../tasks/client/testing.ts";

const client = createTasksClient({ url: "http://x/rpc", auth: { machine: "key", signed: { keyId: "k", secret: "s" } } });
export const tasks: readonly Task[] = await client.list();
export const some: readonly Task[] = await client.list({ state: null }, { id: 7, totalTimeoutMs: 5 });
for await (const task of client.tasks.all({ filter: "x", pageSize: 2 })) ((one: Task) => one)(task);
for await (const match of client.matches.all({ word: "x" }, { totalTimeoutMs: 5 })) ((one: string) => one)(match);
export const every: AsyncGenerator<Task> = allTasks(client.connection);
export const doubled: bigint = (await client.double({ value: 4n, others: { a: [5n] } })).value;
export const count: number = await client.count();
export const cleared: null = await client.clear();
export const removed: boolean = await client.remove({ id: "1" });
export const named: number = await client.call("count");
await client.notify("touched", { id: "1" });
const [first, second, third] = await client.batch([
  { call: "count" },
  { call: "add", payload: { title: "x" } },
  { notify: "touched", payload: { id: "1" } },
]);
if (first.status === "fulfilled") ((value: number) => value)(first.value);
if (second.status === "fulfilled") ((value: Task) => value)(second.value);
if (third.status === "fulfilled") ((value: undefined) => value)(third.value);
try {
  await client.add({ title: "x" });
} catch (error) {
  if (error instanceof GoneError) ((code: -32010, id: string) => [code, id])(error.code, error.data.id);
}
const socket = createTasksSocket({ url: "ws://x/rpc" });
socket.on("changed", ({ id }) => id.length)();
socket.close();
const fake = new FakeTasks();
fake.answer("count", () => 3);
((count: number) => count)(await fake.client.count());

// @ts-expect-error no credentials for it
await client.archive();
// @ts-expect-error no credentials for the list
createTasksClient({ url: "http://x/rpc" }).matches.all({ word: "x" });
// @ts-expect-error what the list has to be narrowed by is missing
client.matches.all();
// @ts-expect-error the page is the client's
client.tasks.all({ page: 1 });
// @ts-expect-error no credentials at all
await createTasksClient({ url: "http://x/rpc" }).remove({ id: "1" });
// @ts-expect-error a credential of another kind
createTasksClient({ url: "http://x/rpc", auth: { signed: "key" } });
// @ts-expect-error a field is missing
await client.add({});
// @ts-expect-error a payload is missing
await client.add();
// @ts-expect-error it creates: it is no notification
await client.notify("add", { title: "x" });
// @ts-expect-error it is never answered
await client.touched({ id: "1" });
// @ts-expect-error no such method
await client.batch([{ call: "nothing" }]);
// @ts-expect-error no such notification
socket.on("nothing", () => {});
// @ts-expect-error another type
fake.answer("count", () => "3");
`;

/** The code on the package's front page as one module. */
function programOf(readme: string): string {
  const parts = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  expect(parts).toHaveLength(9);
  const imports = parts.flatMap((code) => code.split("\n").filter((line) => line.startsWith("import ")));
  const bodies = parts.map((code) => code.replaceAll(/^import .*\n/gm, ""));
  const [start = "", ...others] = bodies;
  return [
    ...imports.map((line) => line.replace('"tasks-client"', '"../tasks/client/index.ts"')),
    start,
    ...others.map((body) => `{\n${body}}`),
  ]
    .join("\n")
    .replace('"tasks-client/testing"', '"../tasks/client/testing.ts"');
}

let project: Project;
beforeAll(async () => {
  const drafts = tasksClient();
  const readme = drafts.find(({ path }) => path.endsWith("/client/README.md"))?.text ?? "";
  const shown = { path: "generated/use/readme.ts", text: programOf(readme) };
  project = await createProject([...drafts, { path: "generated/use/use.ts", text: use }, shown]);
});
afterAll(() => project.remove());

test("has no schemas of zod where targets leave zod out", () => {
  const files = (targets?: readonly string[]) =>
    emitter.emit(tasksModel(), { ...tasksLayout, ...(targets && { targets }) }).map(({ path }) => path);
  expect(files().some((path) => path.endsWith("/client/schemas.ts"))).toBe(true);
  expect(files(["client", "zod"]).some((path) => path.endsWith("/client/schemas.ts"))).toBe(true);
  expect(files(["client"]).some((path) => path.endsWith("/client/schemas.ts"))).toBe(false);
});

test("the client of a standard interface compiles in Node and in browsers, and refuses what cannot work", async () => {
  expect(await compile(project.root, ["generated"])).toBe("");
  const browser = { lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"], types: [] };
  expect(await compile(project.root, ["generated"], browser)).toBe("");
});

test("an interface without methods compiles, whatever is generated from it", async () => {
  const text =
    "interface: { name: empty, title: Empty, revision: 1.0.0, doc: None yet., wire: { protocol: json-rpc-2.0 } }\n";
  const { value: model } = loadServiceModel("spec", () => [sourceText("spec/empty.yaml", text)]);
  if (model === undefined) throw new Error("the spec is refused");
  const layout = { ...tasksLayout, out: "generated/empty", handlers: "generated/handlers" };
  const emitters = (await loadEmitters()).filter((each) => prints(each, model));
  const empty = await createProject(emitters.flatMap((each) => each.emit(model, layout)));
  try {
    expect(await compile(empty.root, ["generated", "runtime/contract"])).toBe("");
  } finally {
    await empty.remove();
  }
});
