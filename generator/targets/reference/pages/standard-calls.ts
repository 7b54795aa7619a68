import { standardParams } from "../../../print/standard-params.ts";
import { payloadOf } from "../examples.ts";
import { jsonHtml } from "../code.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { firstMethod, snippetsOf } from "../snippets.ts";
import { schemesView } from "./schemes.ts";

/** `authentication.html` of a standard interface: what a call looks like, and who may make which. */
export function standardCallsPage(context: PageContext): Page {
  const { model } = context;
  const method = firstMethod(model);
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
      call: jsonHtml(call),
      programs: snippetsOf(model),
      isOnWebSocket: model.wire.protocol === "json-rpc-2.0" && model.wire.transports.includes("websocket"),
      schemes: schemesView(context),
    },
  };
}
