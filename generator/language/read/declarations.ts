import type { Reporter } from "../diagnostics/index.ts";
import type { Entry, Node } from "../syntax/index.ts";
import type {
  ErrorSpec,
  EventMemberSpec,
  EventSpec,
  RequirementSpec,
  ResourceSpec,
  RuleSpec,
  ScenarioSpec,
  StateMachineSpec,
  TransitionSpec,
} from "../spec.ts";
import {
  childOf,
  documentedOf,
  entriesOf,
  isTrueAt,
  itemsOf,
  mapsOf,
  nameAt,
  nameOfKey,
  namesOf,
  numberAt,
  optional,
  textAt,
  textOf,
  textsAt,
} from "./access.ts";
import { literalsOf, readObjectOrName, readValue } from "./shapes.ts";

export function readError(entry: Entry, reporter: Reporter): ErrorSpec {
  const node = entry.value;
  const data = childOf(node, "data");
  const rpcCode = numberAt(node, "rpcCode");
  const number = numberAt(node, "code");
  const wireCode = (rpcCode && number) ?? nameAt(node, "code");
  return {
    ...documentedOf(node, entry.keySpan),
    code: nameOfKey(entry),
    message: nameAt(node, "message") ?? { value: "", span: entry.keySpan },
    condition: textAt(node, "condition") ?? "",
    action: textAt(node, "action") ?? "",
    httpStatus: numberAt(node, "httpStatus")?.value ?? 400,
    rpcCode: rpcCode ?? number ?? { value: Number.NaN, span: entry.keySpan },
    ...optional("wireCode", wireCode),
    ...optional("data", data && readValue(data, reporter)),
    everyMethod: isTrueAt(node, "everyMethod"),
    ...optional("renamedFrom", nameAt(node, "renamedFrom")),
  };
}

export function readEvent(entry: Entry, reporter: Reporter): EventSpec {
  return {
    ...documentedOf(entry.value, entry.keySpan),
    name: nameOfKey(entry),
    payload: readObjectOrName(childOf(entry.value, "payload"), reporter),
    ...optional("payloadName", nameAt(entry.value, "payloadName")),
    members: mapsOf(childOf(entry.value, "members")).flatMap((node) => readEventMember(node) ?? []),
    otherCauses: textsAt(entry.value, "otherCauses"),
    ...optional("renamedFrom", nameAt(entry.value, "renamedFrom")),
  };
}

function readEventMember(node: Node): EventMemberSpec | undefined {
  const name = nameAt(node, "name");
  if (name === undefined) return undefined;
  const constant = childOf(node, "const");
  const value = constant?.kind === "scalar" ? constant.value : null;
  const when = childOf(node, "when");
  const field = nameAt(when, "field");
  return {
    ...documentedOf(node, name.span),
    name,
    ...optional("repeats", nameAt(node, "repeats")),
    ...optional("constant", constant && value !== null ? { value, span: constant.span } : undefined),
    ...optional("when", field && { field, is: literalsOf(childOf(when, "is")) }),
  };
}

export function readStateMachine(entry: Entry): StateMachineSpec | undefined {
  const type = nameAt(entry.value, "type");
  if (type === undefined) return undefined;
  return {
    ...documentedOf(entry.value, entry.keySpan),
    name: nameOfKey(entry),
    type,
    transitions: mapsOf(childOf(entry.value, "transitions")).flatMap((item) => readTransition(item) ?? []),
  };
}

function readTransition(node: Node): TransitionSpec | undefined {
  const from = nameAt(node, "from");
  const to = nameAt(node, "to");
  if (from === undefined || to === undefined) return undefined;
  return {
    ...documentedOf(node, from.span),
    from,
    to,
    ...optional("by", nameAt(node, "by")),
    ...optional("condition", textAt(node, "condition")),
    effects: textsAt(node, "effects"),
  };
}

export function readRule(entry: Entry): RuleSpec {
  return { ...documentedOf(entry.value, entry.keySpan), id: nameOfKey(entry) };
}

export function readResource(entry: Entry): ResourceSpec {
  const node = entry.value;
  return {
    ...documentedOf(node, entry.keySpan),
    name: nameOfKey(entry),
    ...optional("absent", nameAt(node, "absent")),
    samples: entriesOf(childOf(node, "samples")).map((sample) => ({
      name: nameOfKey(sample),
      doc: textOf(sample.value)?.value ?? "",
    })),
    ...optional("made", madeOf(childOf(node, "made"))),
    ...optional("kept", keptOf(childOf(node, "kept"))),
    removed: entriesOf(childOf(node, "removed")).map((removal) => ({
      operation: nameOfKey(removal),
      steps: itemsOf(removal.value),
    })),
  };
}

function madeOf(node: Node | undefined): ResourceSpec["made"] {
  if (node === undefined) return undefined;
  return {
    steps: itemsOf(childOf(node, "steps")),
    gives: entriesOf(childOf(node, "gives")).map((entry) => [
      nameOfKey(entry),
      textOf(entry.value)?.value ?? "",
    ]),
  };
}

function keptOf(node: Node | undefined): ResourceSpec["kept"] {
  if (node === undefined) return undefined;
  return { before: itemsOf(childOf(node, "before")), after: itemsOf(childOf(node, "after")) };
}

export function readScenario(entry: Entry): ScenarioSpec {
  const node = entry.value;
  return {
    ...documentedOf(node, entry.keySpan),
    name: nameOfKey(entry),
    about: namesOf(childOf(node, "about")),
    ...optional("level", textAt(node, "level")),
    alone: isTrueAt(node, "alone"),
    steps: itemsOf(childOf(node, "steps")),
  };
}

export function readRequirement(entry: Entry): RequirementSpec {
  const node = entry.value;
  return {
    ...documentedOf(node, entry.keySpan),
    id: nameOfKey(entry),
    cases: namesOf(childOf(node, "cases")),
    ...optional("untested", textAt(node, "untested")),
  };
}
