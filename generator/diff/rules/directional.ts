import type { Effect, Family, Rule } from "../model/rule.ts";
import { directions, type Bump, type Direction, type Party, type Severity } from "../model/severity.ts";
import { enumType, objectType } from "./samples.ts";

/** The rules of one family, by direction. */
export function rulesOfFamily(name: string, family: Family): readonly (readonly [string, Rule])[] {
  return directionsOf(family).map((direction) => [
    `${direction}-${name}`,
    directionalRule(name, family, direction),
  ]);
}

function directionsOf(family: Family): readonly Direction[] {
  return family.directions ?? directions;
}

function directionalRule(name: string, family: Family, direction: Direction): Rule {
  const effects = effectsOf(family, direction);
  const outside = (effects.callers ?? effects.receivers)?.severity ?? "info";
  return {
    area: family.area,
    summary: family.summary,
    effects,
    bump: bumpFor(outside, family.additive === true),
    why: family.why,
    todo: family.todo,
    before: exampleOf(name, direction, family.before),
    after: exampleOf(name, direction, family.after),
    inverse: family.inverse.map((other) => `${direction}-${other}`),
    mirror: { rule: `${directionsOf(family).find((other) => other !== direction) ?? direction}-${name}` },
  };
}

/** Requests come from callers; answers are read by callers, events by receivers, and both are given by handlers. */
function effectsOf(family: Family, direction: Direction): { readonly [P in Party]?: Effect } {
  const [outside, handlers] = severitiesOf(family.severity, direction);
  if (direction === "request") {
    return {
      callers: { severity: outside, consequence: family.callersSend },
      implementers: { severity: handlers, consequence: family.handlersRead },
    };
  }
  const readers = direction === "response" ? "Callers" : "Receivers";
  const read: Effect = {
    severity: outside,
    consequence: (facts) => `${readers} ${family.othersRead(facts)}`,
  };
  const sent: Effect = { severity: handlers, consequence: family.handlersSend };
  return direction === "response"
    ? { callers: read, implementers: sent }
    : { receivers: read, implementers: sent };
}

function severitiesOf(severity: Family["severity"], direction: Direction): readonly [Severity, Severity] {
  if ("outside" in severity) return [severity.outside, severity.handlers];
  const { sender, reader, handlersRead = reader } = severity;
  return direction === "request" ? [sender, handlersRead] : [reader, sender];
}

function bumpFor(severity: Severity, additive: boolean): Bump {
  if (severity === "breaking") return "major";
  return severity === "warning" || additive ? "minor" : "patch";
}

/** The fields, or enum values, in a type that travels that way and no other. */
function exampleOf(name: string, direction: Direction, text: string): string {
  if (/enum/.test(name)) {
    const types = { request: "LoanTerm", response: "LoanState", event: "LoanCause" } as const;
    return enumType(types[direction], "What it can be.", text);
  }
  const types = { request: "LoanRequest", response: "Loan", event: "LoanEvent" } as const;
  const docs = {
    request: "Asks for a loan.",
    response: "A loan.",
    event: "A loan in a notification.",
  } as const;
  return objectType(types[direction], docs[direction], text);
}
