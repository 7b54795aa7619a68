import { resolve } from "../../../model/index.ts";
import type { StateMachineModel } from "../../../model/service-model.ts";
import { diagramOf } from "../diagram.ts";
import { valueViews } from "../field-tree.ts";
import { anchor, nameParts } from "../prose.ts";
import type { PageContext } from "../page-context.ts";
import { pageParts, type Page } from "../page.ts";

/** `states.html`: each state machine as a picture, and the same in words. */
export function statesPage(context: PageContext): Page | undefined {
  const { model } = context;
  if (model.states.length === 0) return undefined;
  return {
    path: "states.html",
    title: "States",
    template: "states",
    current: "states",
    view: {
      machines: model.states.map(({ name }) => ({ name, anchor: anchor(name) })),
      sections: pageParts(
        "state-machine",
        model.states.map((machine, index) => machineView(machine, index, context)),
      ),
    },
  };
}

function machineView(machine: StateMachineModel, index: number, context: PageContext) {
  const { model, links } = context;
  const type = { kind: "ref" as const, type: machine.type };
  const shape = resolve(model, type);
  const states = shape.kind === "enum" ? shape.values.map(({ value }) => String(value)) : [];
  const diagram = diagramOf(machine, states);
  return {
    ...context.remarks(machine),
    anchor: anchor(machine.name),
    name: machine.name,
    typeName: machine.type,
    typeHref: links.type(machine.type),
    diagram: diagram && {
      ...diagram,
      words: `State diagram of ${machine.name}; the table below says the same in words`,
      arrow: `arrow-${index}`,
    },
    states: valueViews(type, context),
    transitions: machine.transitions.map((transition, number) => ({
      ...context.remarks(transition),
      number: number + 1,
      from: stateWords(transition.from),
      to: stateWords(transition.to),
      by:
        transition.by === undefined
          ? undefined
          : { parts: nameParts(transition.by), href: links.method(transition.by) },
      condition: transition.condition,
      effects: transition.effects,
    })),
  };
}

function stateWords(state: string): string {
  if (state === "none") return "does not exist yet";
  if (state === "any") return "any state";
  return state === "requested" ? "the state that is asked for" : state;
}
