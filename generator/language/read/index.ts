import { perProtocol } from "../structure/protocols.ts";
import { createReporter, type Reporter } from "../diagnostics/index.ts";
import { oncePer } from "../source/once-per.ts";
import type { Entry, Node } from "../syntax/index.ts";
import type { Name, Spec } from "../spec.ts";
import { entriesOf, entryOf, childOf, nameOfKey } from "./access.ts";
import {
  readError,
  readEvent,
  readRequirement,
  readResource,
  readRule,
  readScenario,
  readStateMachine,
} from "./declarations.ts";
import { protocolOf, readInterface } from "./interface.ts";
import { readMethod } from "./methods.ts";
import { readType } from "./shapes.ts";

/**
 * Reads an entry once, and reports again what it has reported: `--watch` keeps the entries of files that do not change,
 * and so what was read of them.
 */
function once<T>(read: (entry: Entry, reporter: Reporter) => T): (entry: Entry, reporter: Reporter) => T {
  const readOnce = oncePer((entry: Entry) => {
    const reporter = createReporter();
    return { value: read(entry, reporter), diagnostics: reporter.diagnostics };
  });
  return (entry, reporter) => {
    const { value, diagnostics } = readOnce(entry);
    reporter.add(diagnostics);
    return value;
  };
}

const interfaceOf = once(readInterface);
const typeOf = once((entry, reporter) => readType(nameOfKey(entry), entry.value, reporter));
const methodOf = perProtocol((protocol) => once((entry, reporter) => readMethod(entry, protocol, reporter)));
const errorOf = once(readError);
const eventOf = once(readEvent);
const stateMachineOf = once(readStateMachine);
const ruleOf = once(readRule);
const resourceOf = once(readResource);
const scenarioOf = once(readScenario);
const requirementOf = once(readRequirement);

/** A file of another folder whose definitions are taken over, but for its interface and these names. */
export interface ExtendedFile {
  readonly node: Node;
  readonly except: ReadonlySet<string>;
}

/** Merges the files of one folder. A name defined twice is reported, and its first definition kept. */
export function readSpec(
  folder: string,
  files: readonly Node[],
  reporter: Reporter,
  extended: readonly ExtendedFile[] = [],
): Spec {
  const defined = (section: string, what: string): readonly Entry[] => {
    const byName = new Map<string, Entry>();
    const define = (entries: readonly Entry[], report: typeof reportDuplicate): void => {
      for (const entry of entries) {
        const earlier = byName.get(entry.key);
        if (earlier === undefined) byName.set(entry.key, entry);
        else report(what, nameOfKey(entry), nameOfKey(earlier), reporter);
      }
    };
    define(
      files.flatMap((file) => entriesOf(childOf(file, section))),
      reportDuplicate,
    );
    define(
      extended.flatMap(({ node, except }) =>
        entriesOf(childOf(node, section)).filter(({ key }) => !except.has(key)),
      ),
      reportCollision,
    );
    return [...byName.values()];
  };
  const protocol = protocolOf(files);
  const all = <T>(entries: readonly Entry[], read: (entry: Entry, reporter: Reporter) => T): readonly T[] =>
    entries.map((entry) => read(entry, reporter));
  const interfaces = files.flatMap((file) => entryOf(file, "interface") ?? []);
  return {
    folder,
    interfaces: all(interfaces, interfaceOf),
    types: all(defined("types", "type"), typeOf),
    methods: all(defined("methods", "method"), methodOf(protocol)),
    errors: all(defined("errors", "error"), errorOf),
    events: all(defined("events", "event"), eventOf),
    states: all(defined("states", "state machine"), stateMachineOf).flatMap((machine) => machine ?? []),
    rules: all(defined("rules", "rule"), ruleOf),
    resources: all(defined("resources", "resource"), resourceOf),
    scenarios: all(defined("scenarios", "scenario"), scenarioOf),
    requirements: all(defined("requirements", "requirement"), requirementOf),
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

/** `first` is of the spec, or of another that it extends. */
function reportCollision(what: string, name: Name, first: Name, reporter: Reporter): void {
  reporter.report(
    "extends-collision",
    first.span,
    { what, name: name.value },
    { span: name.span, message: "defined there" },
  );
}
