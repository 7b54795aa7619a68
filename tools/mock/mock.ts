import { once } from "node:events";
import { messageOf } from "../../conformance/base/message-of.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import {
  createMock,
  faultKinds,
  mockOnStdio,
  type FaultKind,
  hasAccess,
  hasCallers,
  newMockAccess,
  readMockAccess,
} from "./index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { protocolOf } from "../../generator/protocols/index.ts";
import { hintFor } from "../../conformance/base/closest.ts";
import { siteFiles } from "../site/index.ts";
import { tryPages } from "../site/try-pages.ts";
import { diskReader } from "../../generator/cli/disk-reader.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { reportFailure } from "../../generator/cli/report-failure.ts";
import type { SpecTarget } from "../../generator/cli/config.ts";
import { nameOf, selectSpecs, severalSpecs } from "../../generator/cli/select.ts";
import { countText } from "../../generator/cli/show-diagnostics.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Access } from "../../conformance/request/access.ts";
import { checkInside } from "../../generator/output/index.ts";

export interface MockCommandOptions {
  readonly config?: string;
  readonly spec?: readonly string[];
  readonly port: number;
  readonly error?: readonly string[];
  readonly access?: string;
  readonly open?: true;
  readonly stdio?: true;
  readonly latency: { readonly least: number; readonly most: number };
  readonly fault?: readonly string[];
  readonly seed: number;
  readonly name?: readonly string[];
}

/** `ledger-rpc mock`: serves one spec until it is stopped. */
export async function mock(options: MockCommandOptions, terminal: Terminal): Promise<number> {
  const usage = (message: string): number =>
    reportFailure({ message, diagnostics: [], exitCode: exitCode.usage }, terminal, false);
  const selection = selectSpecs(options, terminal.cwd, "read");
  if (selection.kind === "refused")
    return reportFailure({ ...selection, exitCode: exitCode.usage }, terminal, false);
  const { config, targets } = selection;
  const [target] = targets;
  if (target === undefined || targets.length > 1) return usage(severalSpecs(targets));
  const { value: model, diagnostics } = loadServiceModel(target.spec, diskReader(config.root));
  if (model === undefined)
    return reportFailure(
      { message: countText(diagnostics), diagnostics, exitCode: exitCode.failed },
      terminal,
      false,
    );
  const errors = errorsIn(options.error ?? [], model);
  if (typeof errors === "string") return usage(errors);
  const faults = faultsIn(options.fault ?? []);
  if (typeof faults === "string") return usage(faults);
  const onCall = (method: string, answer: string): void => terminal.note(`${method}: ${answer}`);
  if (options.stdio === true) {
    const isServed = await mockOnStdio(model, { errors, seed: options.seed, onCall });
    return isServed ? exitCode.ok : usage(`${model.name} is mocked over HTTP, without --stdio`);
  }
  const callers = mockCallers(model, config.root, options, terminal.cwd);
  if (callers.kind === "refused") return usage(callers.message);
  const server = createMock(model, {
    errors,
    faults,
    latencyMs: options.latency,
    seed: options.seed,
    names: options.name ?? [],
    pages: () => siteFiles(model, { tried: tryPages }),
    onCall,
    onEvent: (name) => terminal.note(`event ${name}`),
    ...omitUndefined({ access: callers.kind === "known" ? callers.access : undefined }),
  });
  return await serve(server, { port: options.port, model, target, callers }, terminal);
}

interface Served {
  readonly port: number;
  readonly model: ServiceModel;
  readonly target: SpecTarget;
  readonly callers: MockCallers;
}

async function serve(
  server: ReturnType<typeof createMock>,
  { port, model, target, callers }: Served,
  terminal: Terminal,
): Promise<number> {
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    terminal.note(`error: port ${port} cannot be had: ${messageOf(error)}`);
    return exitCode.failed;
  }
  const address = server.address();
  const chosen = typeof address === "object" && address !== null ? address.port : port;
  const origin = `http://127.0.0.1:${chosen}`;
  const isSocket = protocolOf(model).transports(model).includes("websocket");
  const socket = isSocket ? ` and ${origin.replace("http", "ws")}${model.path}` : "";
  const spec = nameOf(target.spec);
  const isAddressed = writeAddress(callers, spec, origin);
  terminal.print(`Answering ${origin}${model.path}${socket} from the spec`);
  terminal.print(`Its pages are at ${origin}/docs/`);
  terminal.print(callersText(callers, { spec, origin, isAddressed, cwd: terminal.cwd }));
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  await once(server, "close");
  return exitCode.ok;
}

/** By method; or what is wrong with one of them. */
function errorsIn(given: readonly string[], model: ServiceModel): ReadonlyMap<string, string> | string {
  const errors = new Map<string, string>();
  for (const text of given) {
    const [name = "", code] = text.split("=");
    const method = model.methods.find((each) => each.name === name);
    if (code === undefined)
      return `--error ${text}: write <method>=<NAME>, such as ${model.methods[0]?.name ?? "list"}=NAME`;
    if (method === undefined)
      return `--error ${text}: ${unknown(
        "method",
        name,
        model.methods.map((each) => each.name),
      )}`;
    const declared = method.errors.map((each) => each.code);
    if (!declared.includes(code)) return `--error ${text}: ${unknown(`error of ${name}`, code, declared)}`;
    errors.set(name, code);
  }
  return errors;
}

/** Shares by kind; or what is wrong with one of them. */
function faultsIn(given: readonly string[]): ReadonlyMap<FaultKind, number> | string {
  const faults = new Map<FaultKind, number>();
  for (const text of given) {
    const [name = "", share = ""] = text.split("=");
    const kind = faultKinds.find((each) => each === name);
    if (kind === undefined) return `--fault ${text}: ${unknown("kind", name, faultKinds)}`;
    if (!/^(?:0|1|0?\.\d+|[01]\.0*)$/.test(share))
      return `--fault ${text}: write ${kind}=<share>, such as ${kind}=0.05`;
    faults.set(kind, Number(share));
  }
  const sum = faults.values().reduce((whole, share) => whole + share, 0);
  return sum > 1.000_001 ? `--fault: the shares are ${sum} together, and can be 1 at most` : faults;
}

function unknown(what: string, name: string, known: readonly string[]): string {
  return `there is no ${what} ${name}: ${hintFor(name, known)}`;
}

/** Who may call a mock. */
type MockCallers =
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

interface CallerOptions {
  readonly access?: string;
  readonly open?: true;
}

/** Reads the access file of a mock. Creates it if it is missing, readable by its owner only. */
function mockCallers(
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
function writeAddress(callers: MockCallers, spec: string, origin: string): boolean {
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
function callersText(callers: MockCallers, { spec, origin, isAddressed, cwd }: CallersPlace): string {
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
