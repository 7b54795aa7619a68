import { hasMoney } from "../../../model/holds.ts";
import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";
import type { JsonRpcWireModel, MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { layOut } from "../../../print/layout.ts";
import { jsonLiteral, stringLiteral } from "../../../print/literals.ts";
import { fillTemplate } from "../../../print/template.ts";
import { programLiteral } from "../../../print/value-plans.ts";
import {
  cell,
  commonParts,
  headValues,
  listsPart,
  packageName,
  smallest,
} from "../../../targets/client/readme-parts.ts";
import type { WantedEntries } from "../../protocol.ts";
import type { StandardNames } from "./names.ts";
import { protocolTitle } from "../wire.ts";
import { markdownCode } from "../../../print/markdown.ts";

/** `README.md` of the package. What it shows comes from the interface's examples. */
export function readme(
  model: ServiceModel,
  wire: JsonRpcWireModel,
  names: StandardNames,
  wanted: WantedEntries,
): string {
  const [shown] = model.methods.toSorted((a, b) => weight(a) - weight(b));
  const [error] = names.errors;
  if (shown === undefined || error === undefined) return `# ${packageName(model)}\n`;
  const values = {
    ...headValues(model),
    protocol: protocolTitle(wire),
    create: names.create,
    createSocket: names.createSocket,
    call: `${names.member(shown)}(${exampleOf(shown, model)})`,
    nameText: stringLiteral(shown.name),
    callByName: markdownCode(`client.call(${stringLiteral(shown.name)}, payload)`),
    member: names.member(shown),
    payload: exampleOf(shown, model),
    error: error.className,
    auth: authText(model, shown),
    money: hasMoney(model)
      ? " An amount of money is a number; `money.digits(object, name)` returns its digits as sent."
      : "",
    function: shown.names.value,
    credentials: credentialsTable(model),
    operations: model.methods.map((method) => operationRow(method, names)).join("\n"),
  };
  const part = (name: string) => fillTemplate(`client/json-rpc/readme-${name}.md`, values);
  const page = fillTemplate("client/json-rpc/README.md", {
    ...values,
    schemes: model.schemes.length === 0 ? "" : part("schemes"),
    batches: wire.batch === false ? "" : part("batches"),
    lists: listsPart(names.lists, model),
    ...commonParts(model, {
      method: shown,
      call: values.call,
      make: names.create,
      options: `url: "https://api.example.com/rpc",${values.auth}`,
      fake: names.fake,
      refused: stringLiteral(error.name),
      wanted,
    }),
    sockets: wire.transports.includes("websocket") ? part("sockets") : "",
  });
  // A part that an interface does without leaves a gap.
  return page.replaceAll(/\n{3,}/g, "\n\n");
}

/** The plainest method that is answered: one that reads, with an example. */
function weight({ effect, examples, transport }: MethodModel): number {
  const isAnswered = transport.notify !== "only";
  const isShown = examples.some(({ result }) => result !== undefined);
  return (isAnswered ? 0 : 4) + (isShown ? 0 : 2) + (effect === "read" ? 0 : 1);
}

/** The payload of an example, or the smallest one that fits. */
function exampleOf({ examples, payload }: MethodModel, model: ServiceModel): string {
  const shown = examples.find(({ result }) => result !== undefined)?.payload;
  if (payload.kind !== "single") return layOut(jsonLiteral(shown ?? {}));
  const value = shown ?? smallest(payload.shape, model);
  return layOut(programLiteral(value, payload.shape, model));
}

/** Credentials for the first alternative of a method. */
function authText(model: ServiceModel, method: MethodModel): string {
  const [first = []] = method.security;
  const members = first.map(({ scheme }) => {
    const kind = model.schemes.find(({ name }) => name === scheme)?.kind ?? "";
    return `${JSON.stringify(scheme)}: ${exampleCredential(kind)}`;
  });
  return members.length === 0 ? "" : `\n  auth: { ${members.join(", ")} },`;
}

function exampleCredential(kind: string): string {
  return schemeKindOf(kind)?.client.example ?? "";
}

function credentialsTable({ schemes }: ServiceModel): string {
  return schemes
    .map(({ name, kind }) => `| \`${name}\` | ${kind} | \`${exampleCredential(kind)}\` |`)
    .join("\n");
}

function operationRow(method: MethodModel, names: StandardNames): string {
  const { transport, effect } = method;
  const isOnly = transport.notify === "only";
  const text = isOnly ? `client.notify(${JSON.stringify(method.name)}, …)` : `client.${names.member(method)}`;
  return `| ${cell(method.name)} | ${cell(text)} | ${cell(method.names.value)} | ${effect} |`;
}
