import type { Entry, Node } from "../syntax/index.ts";
import type { RequirementSpec, ResourceSpec, ScenarioSpec } from "../spec.ts";
import {
  childOf,
  entriesOf,
  isTrueAt,
  itemsOf,
  nameAt,
  nameOfKey,
  namesOf,
  optional,
  textAt,
  textOf,
} from "./access.ts";
import { documentedOf } from "./documented.ts";

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
