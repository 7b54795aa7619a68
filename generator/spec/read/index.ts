import type { Reporter } from "../../diagnostics/index.ts";
import type { Entry, Node } from "../../syntax/index.ts";
import type { Name, Spec } from "../spec.ts";
import { entriesOf, entryOf, childOf, nameOfKey } from "./access.ts";
import { readError, readEvent, readRule, readStateMachine } from "./declarations.ts";
import { protocolOf, readInterface } from "./interface.ts";
import { readMethod } from "./methods.ts";
import { readType } from "./shapes.ts";
import { readRequirement, readResource, readScenario } from "./test-metadata.ts";

/** Merges the files of one folder. A name defined twice is reported, and its first definition kept. */
export function readSpec(folder: string, files: readonly Node[], reporter: Reporter): Spec {
  const defined = (section: string, what: string): readonly Entry[] => {
    const byName = new Map<string, Entry>();
    for (const entry of files.flatMap((file) => entriesOf(childOf(file, section)))) {
      const earlier = byName.get(entry.key);
      if (earlier === undefined) byName.set(entry.key, entry);
      else reportDuplicate(what, nameOfKey(entry), nameOfKey(earlier), reporter);
    }
    return [...byName.values()];
  };
  const protocol = protocolOf(files);
  return {
    folder,
    interfaces: files.flatMap((file) => entryOf(file, "interface") ?? []).map(readInterface),
    types: defined("types", "type").map((entry) => readType(nameOfKey(entry), entry.value, reporter)),
    methods: defined("methods", "method").map((entry) => readMethod(entry, protocol, reporter)),
    errors: defined("errors", "error").map((entry) => readError(entry, reporter)),
    events: defined("events", "event").map((entry) => readEvent(entry, reporter)),
    states: defined("states", "state machine").flatMap((entry) => readStateMachine(entry) ?? []),
    rules: defined("rules", "rule").map(readRule),
    resources: defined("resources", "resource").map(readResource),
    scenarios: defined("scenarios", "scenario").map(readScenario),
    requirements: defined("requirements", "requirement").map(readRequirement),
  };
}

function reportDuplicate(what: string, name: Name, first: Name, reporter: Reporter): void {
  reporter.report(
    "duplicate-definition",
    name.span,
    { what, name: name.value },
    { span: first.span, message: "first defined here" },
  );
}
