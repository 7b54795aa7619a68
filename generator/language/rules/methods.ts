import { languageOf } from "../../protocols/languages.ts";
import { closest } from "../../../conformance/base/closest.ts";
import type { MethodSpec } from "../spec.ts";
import { isMethodName } from "../structure/schema.ts";
import type { RuleContext } from "./context.ts";

/** Services, authentication and effects of methods. */
export function checkMethods(context: RuleContext): void {
  for (const method of context.spec.methods) {
    checkService(method, context);
    checkAuth(method, context);
    checkPath(method, context);
    const [emitted] = method.emits;
    if (method.effect.value === "read" && emitted !== undefined) {
      const related = { span: emitted.span, message: "it causes an event here" };
      context.report("read-with-effects", method.effect.span, { method: method.name.value }, related);
    }
  }
}

function checkService(method: MethodSpec, { own, report }: RuleContext): void {
  const { value, span } = method.name;
  if (!languageOf(own.wire.protocol).namesServices || !isMethodName(own.wire.protocol, value)) return;
  const services = own.services.map((service) => service.name.value);
  const dot = value.indexOf(".");
  if (dot === -1) {
    if (services.length > 0 && method.flat === undefined) {
      report("method-without-service", span, { method: value, services });
    }
    return;
  }
  const service = value.slice(0, dot);
  if (services.includes(service)) return;
  report("unknown-service", span, { service, suggestion: closest(service, services) });
}

function checkPath({ path }: MethodSpec, { own, report }: RuleContext): void {
  if (path === undefined || path.value !== own.path) return;
  report("method-path-of-interface", path.span, { path: path.value });
}

function checkAuth(method: MethodSpec, { own, scope, report }: RuleContext): void {
  if (method.flat !== undefined || !languageOf(own.wire.protocol).hasAuthMembers) return;
  const members = (scope.auth?.members ?? []).map((member) => member.name.value);
  if (method.auth === undefined) {
    if (members.length > 0)
      report("method-auth-missing", method.span, { method: method.name.value, members });
    return;
  }
  for (const { value, span } of method.auth.members) {
    if (members.includes(value)) continue;
    report("auth-member-unknown", span, { name: value, members, suggestion: closest(value, members) });
  }
}
