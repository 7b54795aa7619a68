import type { Family } from "../model/rule.ts";

/** When a field has to be there. */
export const presenceFamilies = {
  "field-optional-to-required": {
    area: "fields",
    summary: ({ name, of }) => `\`${name}\` of ${of} is required now`,
    severity: { sender: "breaking", reader: "info" },
    callersSend: ({ name }) => `A request without \`${name}\` is refused.`,
    handlersRead: ({ name }) => `Handlers may count on \`${name}\`.`,
    handlersSend: ({ name }) => `Whatever gives this value has to give \`${name}\` each time.`,
    othersRead: ({ name }) => `may count on \`${name}\`.`,
    why: "Leaving the field out was allowed, so some callers do.",
    todo: "Keep it optional, with a meaning for its absence; or tie it to a new value with `requiredWhen`.",
    before: "- { name: remark, type: string, optional: true, doc: Free text. }",
    after: "- { name: remark, type: string, doc: Free text. }",
    inverse: ["field-required-to-optional"],
  },
  "field-required-to-optional": {
    area: "fields",
    summary: ({ name, of }) => `\`${name}\` of ${of} is optional now`,
    severity: { sender: "info", reader: "breaking" },
    callersSend: ({ name }) => `Requests may leave \`${name}\` out.`,
    handlersRead: ({ name }) => `Handlers have to expect payloads without \`${name}\`.`,
    handlersSend: ({ name }) => `Handlers may leave \`${name}\` out.`,
    othersRead: ({ name }) => `have to expect the absence of \`${name}\`.`,
    additive: true,
    why: "Readers were promised the field and use it without a check.",
    todo: "In requests: decide in each handler what its absence means. In answers and events: go on sending it.",
    before: "- { name: remark, type: string, doc: Free text. }",
    after: "- { name: remark, type: string, optional: true, doc: Free text. }",
    inverse: ["field-optional-to-required"],
  },
  "field-optional-to-required-when": {
    area: "fields",
    summary: ({ name, of, to }) => `\`${name}\` of ${of} is required now ${to}`,
    severity: { sender: "breaking", reader: "info" },
    callersSend: ({ name, to }) => `A request without \`${name}\` is refused ${to}.`,
    handlersRead: ({ name, to }) => `Handlers may count on \`${name}\` ${to}.`,
    handlersSend: ({ name, to }) => `Whatever gives this value has to give \`${name}\` ${to}.`,
    othersRead: ({ name, to }) => `may count on \`${name}\` ${to}.`,
    why: "Leaving the field out was always allowed, so some callers do where it is now needed.",
    todo: "Tie the condition to a value that is new, or keep the field optional.",
    before:
      "- { name: express, type: boolean, doc: Whether it is urgent. }\n- { name: courier, type: string, optional: true, doc: Who brings it. }",
    after:
      "- { name: express, type: boolean, doc: Whether it is urgent. }\n- name: courier\n  type: string\n  requiredWhen: { field: express, is: [true] }\n  doc: Who brings it.",
    inverse: ["field-required-when-to-optional"],
  },
  "field-required-when-to-optional": {
    area: "fields",
    summary: ({ name, of, from }) => `\`${name}\` of ${of} is optional now, also ${from}`,
    severity: { sender: "info", reader: "breaking" },
    callersSend: ({ name, from }) => `Requests may leave \`${name}\` out, also ${from}.`,
    handlersRead: ({ name, from }) => `Handlers have to expect payloads without \`${name}\`, also ${from}.`,
    handlersSend: ({ name, from }) => `Handlers may leave \`${name}\` out, also ${from}.`,
    othersRead: ({ name, from }) => `have to expect the absence of \`${name}\`, also ${from}.`,
    additive: true,
    why: "Where the condition held, readers were promised the field.",
    todo: "In requests: decide in each handler what its absence means. In answers and events: go on sending it.",
    before:
      "- { name: express, type: boolean, doc: Whether it is urgent. }\n- name: courier\n  type: string\n  requiredWhen: { field: express, is: [true] }\n  doc: Who brings it.",
    after:
      "- { name: express, type: boolean, doc: Whether it is urgent. }\n- { name: courier, type: string, optional: true, doc: Who brings it. }",
    inverse: ["field-optional-to-required-when"],
  },
  "field-required-when-to-required": {
    area: "fields",
    summary: ({ name, of, from }) => `\`${name}\` of ${of} is required now, not only ${from}`,
    severity: { sender: "breaking", reader: "info" },
    callersSend: ({ name }) => `A request without \`${name}\` is refused, whatever else it says.`,
    handlersRead: ({ name }) => `Handlers may count on \`${name}\`.`,
    handlersSend: ({ name }) => `Whatever gives this value has to give \`${name}\` each time.`,
    othersRead: ({ name }) => `may count on \`${name}\`.`,
    why: "Where the condition did not hold, leaving the field out was allowed.",
    todo: "Keep the condition.",
    before:
      "- { name: express, type: boolean, doc: Whether it is urgent. }\n- name: courier\n  type: string\n  requiredWhen: { field: express, is: [true] }\n  doc: Who brings it.",
    after:
      "- { name: express, type: boolean, doc: Whether it is urgent. }\n- { name: courier, type: string, doc: Who brings it. }",
    inverse: ["field-required-to-required-when"],
  },
  "field-required-to-required-when": {
    area: "fields",
    summary: ({ name, of, to }) => `\`${name}\` of ${of} is required now only ${to}`,
    severity: { sender: "info", reader: "breaking" },
    callersSend: ({ name, to }) => `Requests need \`${name}\` only ${to}.`,
    handlersRead: ({ name }) => `Handlers have to expect payloads without \`${name}\`.`,
    handlersSend: ({ name, to }) => `Handlers need to give \`${name}\` only ${to}.`,
    othersRead: ({ name }) => `have to expect the absence of \`${name}\`.`,
    additive: true,
    why: "Readers were promised the field and use it without a check.",
    todo: "In requests: decide in each handler what its absence means. In answers and events: go on sending it.",
    before:
      "- { name: express, type: boolean, doc: Whether it is urgent. }\n- { name: courier, type: string, doc: Who brings it. }",
    after:
      "- { name: express, type: boolean, doc: Whether it is urgent. }\n- name: courier\n  type: string\n  requiredWhen: { field: express, is: [true] }\n  doc: Who brings it.",
    inverse: ["field-required-when-to-required"],
  },
  "field-condition-widened": {
    area: "fields",
    summary: ({ name, of, from, to }) =>
      `\`${name}\` of ${of} is required in more cases: ${to}, not only ${from}`,
    severity: { sender: "breaking", reader: "info" },
    callersSend: ({ name, to }) => `A request without \`${name}\` is refused ${to}.`,
    handlersRead: ({ name, to }) => `Handlers may count on \`${name}\` ${to}.`,
    handlersSend: ({ name, to }) => `Whatever gives this value has to give \`${name}\` ${to}.`,
    othersRead: ({ name, to }) => `may count on \`${name}\` ${to}.`,
    why: "In the cases that were added, leaving the field out was allowed.",
    todo: "Add only values that are new themselves.",
    before:
      "- { name: genre, type: Genre, doc: Kind of book. }\n- name: edition\n  type: string\n  requiredWhen: { field: genre, is: [REFERENCE] }\n  doc: Which edition.",
    after:
      "- { name: genre, type: Genre, doc: Kind of book. }\n- name: edition\n  type: string\n  requiredWhen: { field: genre, is: [FICTION, REFERENCE] }\n  doc: Which edition.",
    inverse: ["field-condition-narrowed"],
  },
  "field-condition-widened-new": {
    area: "fields",
    summary: ({ name, of, from, to }) =>
      `\`${name}\` of ${of} is required in cases that are new themselves: ${to}, not only ${from}`,
    severity: { sender: "info", reader: "info" },
    callersSend: ({ name, from }) => `Requests as they were need \`${name}\` only ${from}.`,
    handlersRead: ({ name, to }) => `Handlers may count on \`${name}\` ${to}.`,
    handlersSend: ({ name, from }) => `What handlers gave before needs \`${name}\` only ${from}.`,
    othersRead: ({ name, to }) => `may count on \`${name}\` ${to}.`,
    additive: true,
    why: "In the cases that were added there was nothing before, so nothing that was right is incomplete now.",
    todo: "Nothing.",
    before:
      "- { name: genre, type: string, const: REFERENCE, doc: Kind of book. }\n- name: edition\n  type: string\n  requiredWhen: { field: genre, is: [REFERENCE] }\n  doc: Which edition.",
    after:
      "- { name: genre, type: Genre, doc: Kind of book. }\n- name: edition\n  type: string\n  requiredWhen: { field: genre, is: [FICTION, REFERENCE] }\n  doc: Which edition.",
    inverse: ["field-condition-narrowed"],
  },
  "field-condition-narrowed": {
    area: "fields",
    summary: ({ name, of, from, to }) =>
      `\`${name}\` of ${of} is required in fewer cases: ${to}, no longer ${from}`,
    severity: { sender: "info", reader: "breaking" },
    callersSend: ({ name, to }) => `Requests need \`${name}\` only ${to}.`,
    handlersRead: ({ name }) => `Handlers have to expect payloads without \`${name}\` in more cases.`,
    handlersSend: ({ name, to }) => `Handlers need to give \`${name}\` only ${to}.`,
    othersRead: ({ name }) => `have to expect the absence of \`${name}\` in more cases.`,
    additive: true,
    why: "In the cases that were dropped, readers were promised the field.",
    todo: "In requests: decide in each handler what its absence means. In answers and events: go on sending it.",
    before:
      "- { name: genre, type: Genre, doc: Kind of book. }\n- name: edition\n  type: string\n  requiredWhen: { field: genre, is: [FICTION, REFERENCE] }\n  doc: Which edition.",
    after:
      "- { name: genre, type: Genre, doc: Kind of book. }\n- name: edition\n  type: string\n  requiredWhen: { field: genre, is: [REFERENCE] }\n  doc: Which edition.",
    inverse: ["field-condition-widened", "field-condition-widened-new"],
  },
  "field-condition-changed": {
    area: "fields",
    summary: ({ name, of, from, to }) =>
      `\`${name}\` of ${of} is required in other cases: ${to}, not ${from}`,
    severity: { sender: "breaking", reader: "breaking" },
    callersSend: ({ name, to }) => `A request without \`${name}\` is refused ${to}.`,
    handlersRead: ({ name, from }) => `Handlers have to expect payloads without \`${name}\` ${from}.`,
    handlersSend: ({ name, to }) => `Whatever gives this value has to give \`${name}\` ${to}.`,
    othersRead: ({ name, from }) => `have to expect the absence of \`${name}\` ${from}.`,
    why: "Some cases need the field that did not, and some no longer promise it that did.",
    todo: "Change the condition in two revisions: first drop cases, then add those that are new.",
    before:
      "- { name: genre, type: Genre, doc: Kind of book. }\n- name: edition\n  type: string\n  requiredWhen: { field: genre, is: [REFERENCE] }\n  doc: Which edition.",
    after:
      "- { name: genre, type: Genre, doc: Kind of book. }\n- name: edition\n  type: string\n  requiredWhen: { field: genre, is: [FICTION] }\n  doc: Which edition.",
    inverse: ["field-condition-changed"],
  },
} as const satisfies Readonly<Record<string, Family>>;
