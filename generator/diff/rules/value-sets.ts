import type { Family } from "../model/rule.ts";

type Shared = Omit<Family, "todo" | "before" | "after" | "inverse" | "directions">;

/** The parts that all rules on widened values share: only `todo` and the examples differ. */
export const widened: Shared = {
  area: "values",
  summary: ({ name, of, from, to }) => `\`${name}\` of ${of} was of type ${from} and may be any ${to}`,
  severity: { sender: "info", reader: "breaking" },
  callersSend: ({ name, to }) => `Requests may say any ${to} in \`${name}\`.`,
  handlersRead: ({ name, from }) => `Handlers have to expect more than ${from} as \`${name}\`.`,
  handlersSend: ({ name, to }) => `Handlers may give any ${to} as \`${name}\`.`,
  othersRead: ({ name, from }) => `have to expect more than ${from} in \`${name}\`.`,
  additive: true,
  why: "Every old value still fits, but readers meet values that could not come before.",
};

/** The shared part of rules by which fewer values are allowed. */
export const narrowed: Shared = {
  area: "values",
  summary: ({ name, of, from, to }) => `\`${name}\` of ${of} was any ${from} and has to be of type ${to}`,
  severity: { sender: "breaking", reader: "info" },
  callersSend: ({ name, to }) => `A request is refused whose \`${name}\` is not of type ${to}.`,
  handlersRead: ({ name, to }) => `Handlers may count on ${to} as \`${name}\`.`,
  handlersSend: ({ name, to }) => `Handlers have to give ${to} as \`${name}\`.`,
  othersRead: ({ name, to }) => `may count on ${to} in \`${name}\`.`,
  why: "Some of the values that were allowed no longer fit.",
};

/** The shared part of rules by which other values are allowed. */
export const changed: Omit<Shared, "why"> = {
  area: "values",
  summary: ({ name, of, from, to }) => `\`${name}\` of ${of} is of type ${to} now, not ${from}`,
  severity: { sender: "breaking", reader: "breaking" },
  callersSend: ({ name, from }) => `A request is refused whose \`${name}\` is of type ${from}.`,
  handlersRead: ({ name, to }) => `Handlers are given ${to} as \`${name}\`.`,
  handlersSend: ({ name, to }) => `Handlers have to give ${to} as \`${name}\`.`,
  othersRead: ({ name, from, to }) => `who expect ${from} in \`${name}\` find ${to}.`,
};
