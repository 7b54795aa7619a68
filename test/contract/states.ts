import { codesIn, type Section } from "./document.ts";
import { plain, sameSets } from "./same-sets.ts";
import type { SpecFiles } from "./spec-files.ts";

/** The document's headings under section 3, as the spec calls them. */
const machines: ReadonlyMap<string, string> = new Map([
  ["Account `status`", "AccountStatus"],
  ["Legal representative `status`", "LegalRepStatus"],
  ["Shareholder `Status`", "ShareHolderStatus"],
  ["Beneficiary `status`", "BeneficiaryStatus"],
  ["Transaction `Status`", "TransactionStatus"],
  ["Business customer `status`", "CustomerStatus"],
]);

/** States with their meanings, and the transitions that an operation triggers; the others need a decision. */
export function stateProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  const described = sections.filter((section) => section.number === "3" && section.title.includes("`"));
  const names = described.map((section) => machines.get(section.title) ?? section.title);
  return [
    ...sameSets("state machine", names, Object.keys(spec.states)),
    ...described.flatMap((section) => machineProblems(section, machines.get(section.title) ?? "", spec)),
  ];
}

function machineProblems(section: Section, name: string, spec: SpecFiles): readonly string[] {
  const machine = spec.states[name];
  if (machine === undefined) return [];
  const values = spec.types[machine.type]?.enum ?? [];
  const said = statesIn(section);
  const meanings = [...said].flatMap(([state, meaning]) => {
    const doc = values.find(({ value }) => value === state)?.doc ?? "";
    return meaning === undefined || plain(doc) === plain(meaning)
      ? []
      : [`state ${state}: "${doc}", not "${meaning}"`];
  });
  const undecided = machine.transitions
    .filter((transition) => transition.by === undefined && transition.decision === undefined)
    .map(({ from, to }) => `transition of ${name} from ${from} to ${to}: no operation and no decision`);
  return [
    ...sameSets(
      `state of ${name}`,
      said.keys(),
      values.map(({ value }) => value),
    ),
    ...meanings,
    ...sameSets(`transition of ${name}`, transitionRows(section), transitionsBy(machine.transitions)),
    ...undecided,
  ];
}

/** "States: `A` (meaning), `B`.", "Values `A` and `B` appear …", "The value `A` is returned …" */
function statesIn(section: Section): ReadonlyMap<string, string | undefined> {
  const text = section.paragraphs.find((each) => /^(?:States:|Values|The value) /.test(each)) ?? "";
  const states = text.split(/\.(?=\s|$)/)[0] ?? "";
  return new Map(
    [...states.matchAll(/`([A-Z]+)`(?: \(([^)]*)\))?/g)].map(([, state = "", meaning]) => [state, meaning]),
  );
}

function transitionRows(section: Section): readonly string[] {
  return section.tables.flatMap((table) =>
    table.rows.map(([from = "", by = "", condition = "", to = "", effects = ""]) => {
      const shown = /\((`\w+`) in the shown response\)/.exec(to)?.[1];
      const target = shown === undefined ? "requested" : codesIn(shown)[0];
      return describe(from.replace(/[()]/g, ""), by, condition, target ?? "", effects);
    }),
  );
}

function transitionsBy(transitions: SpecFiles["states"][string]["transitions"]): readonly string[] {
  return transitions.flatMap(({ from, by, condition, to, effects }) =>
    by === undefined ? [] : [describe(from, by, condition ?? "", to, effects.join("; "))],
  );
}

function describe(from: string, by: string, condition: string, to: string, effects: string): string {
  return plain(`${from} → ${to} by ${by} if ${condition}: ${effects}`);
}
