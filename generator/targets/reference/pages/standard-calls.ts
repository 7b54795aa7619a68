import { shellWord } from "../../../../conformance/request/shell-word.ts";
import { standardParams } from "../../../print/standard-params.ts";
import { payloadOf } from "../examples.ts";
import { jsonTokens } from "../json-text.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { headersFor, isOpen, schemesView } from "./schemes.ts";

/** `authentication.html` of a standard interface: what a call looks like, and who may make which. */
export function standardCallsPage(context: PageContext): Page {
  const { model } = context;
  // What everyone may read is answered at once.
  const reads = model.methods.filter(({ effect }) => effect === "read");
  const method = reads.find(isOpen) ?? reads[0] ?? model.methods.find(isOpen) ?? model.methods[0];
  const params = method && standardParams(method, payloadOf(method, model));
  const call = { jsonrpc: "2.0", id: 1, method: method?.name ?? "", params };
  return {
    path: "authentication.html",
    title: "First call",
    template: "standard-calls",
    current: "authentication",
    view: {
      endpoint: `POST ${model.path}`,
      path: model.path,
      call: jsonTokens(call),
      curl: [
        `curl --json ${shellWord(JSON.stringify(call))}`,
        ...(method === undefined || isOpen(method) ? [] : headersFor(method, model)).map(
          (header) => `-H ${shellWord(header)}`,
        ),
        `"$BASE_URL${model.path}"`,
      ].join(" "),
      isOnWebSocket: model.wire.protocol === "json-rpc-2.0" && model.wire.transports.includes("websocket"),
      schemes: schemesView(context),
    },
  };
}
