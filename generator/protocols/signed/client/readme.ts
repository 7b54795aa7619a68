import { provesKey } from "../../../../conformance/suite/methods.ts";
import { hasMoney } from "../../../model/holds.ts";
import { exampleId, resolve, resultFields } from "../../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { bracketed, layOut, separated } from "../../../print/layout.ts";
import { jsonLiteral, propertyOf, stringLiteral } from "../../../print/literals.ts";
import { markdownCode } from "../../../print/markdown.ts";
import { fillTemplate } from "../../../print/template.ts";
import type { WantedEntries } from "../../protocol.ts";
import type { ClientNames } from "./names.ts";
import type { PagedList } from "../../../targets/client/names.ts";
import { temporaryCodes } from "./modules.ts";
import {
  packageName,
  listsPart,
  headValues,
  cell,
  commonParts,
  exampleOf,
  literal,
} from "../../../targets/client/readme-parts.ts";

/** `README.md` of the package. What it shows comes from the interface's examples. */
export function readme(model: ServiceModel, names: ClientNames, wanted: WantedEntries): string {
  const read = readMethod(model, names);
  if (read === undefined) return `# ${packageName(model)}\n`;
  const values = {
    ...headValues(model),
    client: names.client,
    error: names.error,
    temporaryCodes: temporaryCodes(model)
      .map((code) => `\`${code}\``)
      .join(" or "),
    operations: operationsTable(model, names),
    ...readValues(read, model, names),
    ...absentValues(read, model, names),
    createCall: createCall(read, model, names),
  };
  const part = (name: string, more: Readonly<Record<string, string>>) =>
    fillTemplate(`client/signed-envelope/readme-${name}.md`, { ...values, ...more });
  const [list] = names.lists;
  const amount = list && amountOf(list, model);
  const page = fillTemplate("client/signed-envelope/README.md", {
    ...values,
    flatCreates: flatCreates(model, names),
    lists: listsPart(names.lists, model),
    registration: registration(model)
      .map((registerCall) => part("registration", { registerCall }))
      .join(""),
    keyless: keylessText(model),
    money: hasMoney(model)
      ? part("money", { sums: amount === undefined ? "" : part("sums", { ...amount }) })
      : "",
    ...commonParts(model, {
      method: read,
      call: memberCall(read, names, exampleOf(read, model).payload),
      make: `new ${names.client}`,
      options: "...options,",
      fake: names.fake,
      refused: stringLiteral(values.absentCode),
      wanted,
    }),
    schemas: wanted.zod ? part("schemas", {}) : "",
    webhooks: model.events.length === 0 ? "" : part("webhooks", { cases: eventCases(model) }),
  }); // A part that an interface does without leaves a gap.
  return page.replaceAll(/\n{3,}/g, "\n\n");
}

/** Whether callers without a key have operations of their own. */
export function hasKeyless({ methods }: ServiceModel): boolean {
  return methods.some(({ transport }) => !provesKey(transport));
}

/** For callers who have no key yet: the operations that they may call. */
function keylessText({ methods }: ServiceModel): string {
  const names = methods
    .filter(({ transport }) => !provesKey(transport))
    .map(({ name }) => markdownCode(name));
  if (names.length === 0) return "";
  return `${names.join(", ")} ${names.length === 1 ? "needs" : "need"} no key: a caller without one passes \`signer: noKey\`. The service refuses other calls without a key.\n\n`;
}

/** The first call, as code. */
export function startExample(model: ServiceModel, names: ClientNames): string | undefined {
  const read = readMethod(model, names);
  if (read === undefined) return undefined;
  const { readBinding, readCall } = readValues(read, model, names);
  return [
    `const client = new ${names.client}({`,
    '  baseUrl: "https://api.example.com",',
    '  credential: { userName: "your-user", apiKey: "your-api-key" },',
    '  signer: { keyId: "your-key-id", privateKey: pem },',
    "});",
    `const ${readBinding} = await client.${readCall};`,
  ].join("\n");
}

/** The plainest read: by one required field, under the shortest name, with an answer to show. */
function readMethod(model: ServiceModel, names: ClientNames): MethodModel | undefined {
  const ownCodes = new Set(model.errors.filter(({ everyMethod }) => !everyMethod).map(({ code }) => code));
  const weight = (method: MethodModel): number => {
    const { payload } = method;
    const required =
      payload.kind === "single"
        ? payload.shape.fields.filter(({ presence }) => presence.kind === "required").length
        : 9;
    const ownErrors = method.examples.some(({ error }) => error !== undefined && ownCodes.has(error))
      ? 0
      : 50;
    const shown = method.examples.some(({ result }) => result !== undefined) ? 0 : 1000;
    const kind = method.effect === "read" && method.transport.kind === "enveloped" ? 0 : 500;
    return shown + kind + ownErrors + Math.abs(required - 1) * 20 + memberName(method, names).length / 100;
  };
  const weighed = model.methods.map((method) => ({ method, weight: weight(method) }));
  return weighed.toSorted((a, b) => a.weight - b.weight)[0]?.method;
}

function isOwn(code: string, model: ServiceModel): boolean {
  return model.errors.some((error) => error.code === code && !error.everyMethod);
}

function readValues(read: MethodModel, model: ServiceModel, names: ClientNames) {
  const [only, ...others] = resultFields(read);
  const binds = only !== undefined && others.length === 0 && /^[A-Za-z]\w*$/.test(only.name);
  const { payload } = exampleOf(read, model);
  return {
    readBinding: binds ? `{ ${only.name} }` : "result",
    readValue: binds ? only.name : "result",
    readNameText: stringLiteral(read.name),
    callByName: markdownCode(`client.call(${stringLiteral(read.name)}, payload)`),
    readMember: memberName(read, names),
    readCall: memberCall(read, names, payload),
    readPayload: literal(payload),
    readFunction: read.names.value,
    readPayloadType: interfaceNames(model).of(read).payload,
  };
}

/** A call that the service refuses because there is no such thing. */
function absentValues(read: MethodModel, model: ServiceModel, names: ClientNames) {
  const example = read.examples.find(({ error }) => error !== undefined && isOwn(error, model));
  const code = example?.error ?? model.errors[0]?.code ?? "";
  const error = model.errors.find((one) => one.code === code);
  return {
    absentCode: code,
    absentClass: error === undefined ? names.error : names.errorClass(error),
    absentCall: memberCall(read, names, example?.payload ?? exampleOf(read, model).payload),
  };
}

/** A call whose id the caller supplies: of an operation that creates something, if there is one. */
function createCall(read: MethodModel, model: ServiceModel, names: ClientNames): string {
  const creates = model.methods.filter(
    ({ effect, transport, registersKey }) =>
      effect === "create" && transport.kind === "enveloped" && registersKey === undefined,
  );
  const method =
    creates.find(({ examples }) => examples.some(({ result }) => result !== undefined)) ?? creates[0] ?? read;
  const { payload } = exampleOf(method, model);
  const options = { id: exampleId(model, `${method.names.file}-4711`, method) };
  return layOut([`${memberName(method, names)}(`, jsonLiteral(payload), ", ", jsonLiteral(options), ")"]);
}

/** The README's note on creating operations without an id (D-24). */
function flatCreates(model: ServiceModel, names: ClientNames): string {
  const flat = model.methods.filter(
    ({ effect, transport }) => effect === "create" && transport.kind === "flat",
  );
  if (flat.length === 0) return "";
  const members = flat.map((method) => `\`${memberName(method, names)}\``).join(", ");
  return `Requests of ${members} have no id. The attempts of one call share a signature; another call is another request.\n\n`;
}

/** The README's part on registering a key, where the interface has such a method. */
function registration(model: ServiceModel): readonly string[] {
  const method = model.methods.find(({ registersKey }) => registersKey !== undefined);
  if (method === undefined || method.payload.kind !== "single") return [];
  const required = method.payload.shape.fields.filter(({ presence }) => presence.kind === "required");
  const example = new Map<string, unknown>(Object.entries(Object(exampleOf(method, model).payload)));
  const payload = Object.fromEntries(required.map(({ name }) => [name, example.get(name) ?? "…"]));
  const parts = bracketed("(", ")", ["{ baseUrl, credential }", jsonLiteral(payload)]);
  return [layOut(["await registerSigner", parts])];
}

/** An amount of money that every item of a list has. */
function amountOf({ name, method, paging }: PagedList, model: ServiceModel) {
  const list = resultFields(method).find((field) => field.name === paging.items);
  const items = list && resolve(model, list.shape);
  const item = items?.kind === "array" ? resolve(model, items.items) : undefined;
  const amount =
    item?.kind === "object" &&
    item.fields.find(({ shape, presence }) => {
      return presence.kind === "required" && resolve(model, shape).kind === "money";
    });
  return amount ? { name, amount: stringLiteral(amount.name) } : undefined;
}

function eventCases(model: ServiceModel): string {
  return model.events
    .map(({ name }) =>
      [`      case ${stringLiteral(name)}:`, "        console.log(event.payload);", "        break;"].join(
        "\n",
      ),
    )
    .join("\n");
}

function operationsTable(model: ServiceModel, names: ClientNames): string {
  return model.methods
    .map((method) =>
      ["", cell(method.name), cell(`client.${memberName(method, names)}`), cell(method.names.value), ""]
        .join(" | ")
        .trim(),
    )
    .join("\n");
}

/** The client's member for a method: `account.get`. */
function memberName(method: MethodModel, names: ClientNames): string {
  for (const { name, members } of names.groups) {
    const found = members.find((one) => one.method === method);
    if (found !== undefined) return layOut(separated("", [propertyOf(name, found.name)]));
  }
  return names.alone.find((one) => one.method === method)?.name ?? method.names.value;
}

function memberCall(method: MethodModel, names: ClientNames, payload: unknown): string {
  return `${memberName(method, names)}(${literal(payload)})`;
}
