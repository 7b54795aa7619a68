import { framed } from "../../../../conformance/base/frame.ts";
import { shellWord } from "../../../../conformance/base/shell-word.ts";
import { methodPath } from "../../../model/index.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { jsonHtml, payloadOf } from "../../../targets/reference/code.ts";
import {
  bodyText,
  filledPrograms,
  scriptText,
  type ProgramTemplate,
  type Snippet,
} from "../../../targets/reference/snippets.ts";
import { facts } from "../facts.ts";
import type { CallFacts, ReferencePart } from "../../protocol.ts";
import { jsonRpcTransport, protocolTitle, wireOf } from "../wire.ts";
import { describedInterface, faultsOf } from "./described-interface.ts";
import { headersFor, isOpen, schemesView, securityText } from "./schemes.ts";

export const reference: ReferencePart = {
  firstCall(context) {
    const { model } = context;
    const method = firstMethod(model);
    return {
      template: "standard-calls",
      view: {
        endpoint: `POST ${model.path}`,
        path: model.path,
        protocol: protocolTitle(wireOf(model)),
        call: method && jsonHtml(facts.exchange.request(method, payloadOf(method, model), model)),
        programs: context.shown(programs(model, method)),
        isOnWebSocket: wireOf(model).transports.includes("websocket"),
        schemes: schemesView(context),
      },
    };
  },
  programs,
  receivers: () => [],
  call: callFacts,
  status: ({ httpStatus }, model) => String(wireOf(model).http.status === "mapped" ? httpStatus : 200),
  faults: faultsOf,
  notification: ({ name }, params, model) => framed(wireOf(model).frame, { method: name, params }),
  tried: { calls: "standard", described: describedInterface },
};

/** The method of a first call: what everyone may read, or the plainest read. */
function firstMethod({ methods }: ServiceModel): MethodModel | undefined {
  const reads = methods.filter(({ effect }) => effect === "read");
  return reads.find(isOpen) ?? reads[0] ?? methods.find(isOpen) ?? methods[0];
}

const languages: readonly ProgramTemplate[] = [
  { id: "curl", language: "curl", code: "bash", file: "plain.sh", command: "sh call.sh" },
  { id: "typescript", language: "TypeScript", code: "typescript", file: "plain.ts", command: "node call.ts" },
  { id: "python", language: "Python", code: "python", file: "plain.py", command: "python3 call.py" },
];

function programs(model: ServiceModel, method = firstMethod(model)): readonly Snippet[] {
  if (method === undefined) return [];
  const body = bodyText(facts.exchange.request(method, payloadOf(method, model), model));
  const lines = isOpen(method) ? [] : headersFor(method, model);
  const headers = Object.fromEntries(
    ["Content-Type: application/json", ...lines].map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  return filledPrograms(languages, {
    path: methodPath(method, model),
    bodyInScript: scriptText(body),
    headers: bodyText(headers),
    bodyInShell: shellWord(body),
    headersInShell: lines.map((line) => ` -H ${shellWord(line)}`).join(""),
  });
}

const notifications = {
  never: "It is called with an id only.",
  allowed: "Without an id it is a notification, and is not answered.",
  only: "It is called without an id only, and is never answered.",
} as const;

function callFacts(method: MethodModel): CallFacts {
  const { payload } = method;
  const { params, notify } = jsonRpcTransport(method.transport);
  const names = payload.kind === "single" ? payload.shape.fields.map(({ name }) => name) : [];
  const places = names.length === 0 ? "" : `: ${names.join(", ")}`;
  const styles = {
    "by-name": "By name, in an object.",
    "by-position": `By position, in an array${places}.`,
    either: `By name, in an object, or by position, in an array${places}.`,
  } as const;
  return {
    // Without memory of request ids: clients of the standard count from 1 each time.
    creates: "A repetition is a new call.",
    view: { security: securityText(method), params: styles[params], notify: notifications[notify] },
  };
}
