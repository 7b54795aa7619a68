import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { messageOf } from "../../conformance/message-of.ts";
import type { Access } from "../../conformance/request/access.ts";
import { hasAccess, hasCallers, newMockAccess, readMockAccess } from "./index.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import { checkInside } from "../../generator/output/index.ts";

/** Who may call a mock. */
export type MockCallers =
  | { readonly kind: "anyone"; readonly asked: boolean }
  /** Those of a file; `isNew` where this run has made it. */
  | {
      readonly kind: "known";
      readonly access: Access;
      readonly file: string;
      readonly isNew: boolean;
      /** Whether the file is the mock's, not one that `--access` names. */
      readonly isOwn: boolean;
      /** Whether callers have to prove who they are. */
      readonly asked: boolean;
    }
  | { readonly kind: "refused"; readonly message: string };

export interface CallerOptions {
  readonly access?: string;
  readonly open?: true;
}

/** Reads the access file of a mock. Creates it if it is missing, readable by its owner only. */
export function mockCallers(
  model: ServiceModel,
  root: string,
  { access: given, open }: CallerOptions,
  cwd: string,
): MockCallers {
  if (open === true && given !== undefined)
    return {
      kind: "refused",
      message: "--open takes every caller, --access those of a file: give one of them",
    };
  if (open === true || !hasAccess(model)) return { kind: "anyone", asked: hasCallers(model) };
  const file =
    given === undefined ? join(root, ".cache/ledger-rpc", `mock-${model.name}.json`) : resolve(cwd, given);
  const isNew = !existsSync(file);
  try {
    if (isNew) {
      if (given === undefined) checkInside(root, file);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(newMockAccess(model), undefined, 2)}\n`, {
        mode: 0o600,
        flag: "wx",
      });
    }
    return {
      kind: "known",
      access: readMockAccess(model, file),
      file,
      isNew,
      isOwn: given === undefined,
      asked: hasCallers(model),
    };
  } catch (error) {
    const reason = messageOf(error);
    return { kind: "refused", message: `the access file of the mock cannot be used: ${reason}` };
  }
}

/** Has the mock's own access file say where the mock is, for the commands that take the file. Gives whether it does. */
export function writeAddress(callers: MockCallers, spec: string, origin: string): boolean {
  if (callers.kind !== "known" || !callers.isOwn || spec === "operator") return false;
  const { file } = callers;
  const access: unknown = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify(Object.assign({}, access, { baseUrl: origin }), undefined, 2)}\n`);
  return true;
}

interface CallersPlace {
  readonly spec: string;
  readonly origin: string;
  /** Whether the access file says where the mock is. */
  readonly isAddressed: boolean;
  /** The folder that the mock was started in. */
  readonly cwd: string;
}

/** Who may call, in words. */
export function callersText(callers: MockCallers, { spec, origin, isAddressed, cwd }: CallersPlace): string {
  if (callers.kind === "anyone")
    return callers.asked
      ? "Every caller is let in: --open asks for no credentials"
      : "Every caller is let in";
  if (callers.kind === "refused") return callers.message;
  const { isNew, asked } = callers;
  const file = relative(cwd, callers.file);
  const address = isAddressed ? "" : ` ${spec === "operator" ? "--operator-url" : "--base-url"} ${origin}`;
  return (
    `${asked ? "Callers are" : "Every caller is let in; the objects are"} those of ${file}${isNew ? ", which is new" : ""}\n` +
    `Try it: ledger-rpc conform --spec ${spec} --access ${file}${address}`
  );
}
