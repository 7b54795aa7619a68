import { el, show, type Child } from "../shared/dom.ts";
import { actions, notice } from "../shared/view.ts";
import type { TriedCall } from "./tried.ts";

type Send = (calls: readonly TriedCall[], isSent: boolean) => void;

/** Calls that are collected to be sent as one request. */
export interface Batch {
  /** Adds what `take` gives; undefined where the interface has no batches. */
  addButton(take: (add: (call: TriedCall) => void) => void): Child;
  /** The calls so far, and what sends them. */
  view(send: Send): Child;
}

/** A batch of at most so many calls; it lasts as long as the page. */
export function createBatch(max: number): Batch {
  let calls: readonly TriedCall[] = [];
  const place = el("div");
  let send: Send | undefined;

  function change(to: readonly TriedCall[]): void {
    calls = to;
    if (calls.length === 0) return show(place);
    const items = calls.map((call, index) => itemOf(call, index, () => change(calls.toSpliced(index, 1))));
    const buttons = actions(
      el(
        "button",
        { type: "button", class: "primary", onclick: () => send?.(calls, true) },
        "Send the batch",
      ),
      el("button", { type: "button", onclick: () => send?.(calls, false) }, "Show its request"),
      el("button", { type: "button", onclick: () => change([]) }, "Empty it"),
    );
    show(
      place,
      el("h2", {}, `Batch of ${calls.length}`),
      el("ol", { class: "batch" }, items),
      calls.length > max ? notice("error", `The service takes ${max} calls in a batch.`) : buttons,
    );
  }

  return {
    addButton(take) {
      if (max === 0) return undefined;
      const add = (): void => take((call) => change([...calls, call]));
      return el("button", { type: "button", onclick: add }, "Add to a batch");
    },
    view(sendWith) {
      send = sendWith;
      return place;
    },
  };
}

function itemOf({ operation, payload, isNotification }: TriedCall, index: number, remove: () => void): Child {
  const attributes = {
    type: "button",
    class: "small",
    "aria-label": `Remove call ${index + 1}, ${operation.name}`,
    onclick: remove,
  };
  return el(
    "li",
    {},
    el("code", {}, `${operation.name} ${JSON.stringify(payload)}`),
    isNotification ? " as a notification " : " ",
    el("button", attributes, "Remove"),
  );
}
