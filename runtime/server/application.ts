import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AuthIdentities, SchemeVerifier } from "../auth/port.ts";
import type { Config, Setting } from "../operations/config/index.ts";
import {
  omitUndefined,
  type JsonRpcInterfaceDescriptor,
  type ServedRevision,
  type SignedInterfaceDescriptor,
} from "../contract/index.ts";
import type { WebPages } from "../operations/http/index.ts";
import type { AnyHandler as StandardHandler } from "../service/index.ts";
import type { AnyHandler } from "../pipeline/index.ts";
import { stepsOf, type Schema } from "../store/index.ts";
import type { MailRenderers } from "../pipeline/handler-context.ts";
import type { Caller } from "../auth/auth-services.ts";
import type { Recipients } from "../store/ports/index.ts";

/** What the engine serves: everything that it cannot know. `defineApplication` fills in what is usual. */
export interface Application {
  /** The source that its events are announced under; its command, variables, metrics and files are named after it. */
  readonly name: string;
  readonly version: string;
  /** Folder of its pages and of what was generated for it: the checkout, or the package. */
  readonly root: string;
  /** The interfaces that it serves. A row more is an interface more. */
  readonly interfaces: readonly AnyRow[];
  /** The interface whose events are recorded, in its current revision; absent: events have no revision. */
  readonly eventInterface?: InterfaceRow;
  /** What it keeps in the store. */
  readonly schema: Schema;
  /** Its settings, beside those of the engine and of its interfaces. */
  readonly settings: readonly Setting[];
  /** What its handlers find in their context beside what the engine gives them. */
  context(config: Config): object;
  /** Who receives its events; default: the subscribers of their topics. */
  readonly recipients?: Recipients;
  /** What `events tail` calls the topics of its events; default: `topic` and `topics`. */
  readonly topics?: TopicWords;
  /** The texts of its mails; absent: only the engine's own are sent. */
  readonly mails?: MailRenderers;
  /** Who unsigned flat bodies act as, where a public interface takes them (`auth.flatBodies`). */
  readonly openCaller?: Caller;
}

/** An application without the members that have a usual value. */
export type ApplicationDraft = Pick<Application, "name" | "interfaces"> & Partial<Application>;

/**
 * An application with the usual values. The first signed interface whose users operators manage announces the events.
 * `root` is the working folder, `version` that of its `package.json`.
 *
 * @throws Error where two interfaces have one name, and where a step of the schema cannot be applied
 */
export function defineApplication(draft: ApplicationDraft): Application {
  const { root = process.cwd(), interfaces } = draft;
  const names = interfaces.map(({ descriptor }) => descriptor.name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new Error(`${draft.name} has two interfaces with the name ${repeated}`);
  if (draft.schema !== undefined) stepsOf(draft.schema);
  const eventInterface = interfaces.find(
    (row): row is InterfaceRow => hasUsers(row) && row.isManagedByCommands !== true,
  );
  return {
    root,
    version: versionIn(root),
    schema: { tables: [], migrations: [] },
    settings: [],
    context: () => ({}),
    ...omitUndefined({ eventInterface }),
    ...draft,
  };
}

/** The version that the `package.json` of a folder states; `unknown` without one. */
function versionIn(root: string): string {
  const file = join(root, "package.json");
  const content: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  const isStated = typeof content === "object" && content !== null && "version" in content;
  return isStated && typeof content.version === "string" ? content.version : "unknown";
}

/** The names of one topic of an event, and of a list of all. */
export interface TopicWords {
  readonly one: string;
  readonly all: string;
}

/** An interface of either protocol. */
export type AnyRow = InterfaceRow | StandardRow;

/** Whether callers of an interface are users of the store; other interfaces tell who calls by `callerOf`. */
export function hasUsers(row: AnyRow): row is InterfaceRow {
  return !("callerOf" in row);
}

/** An interface of signed envelopes; its spec names the authentication scheme. */
export interface InterfaceRow extends ServedRow {
  readonly descriptor: SignedInterfaceDescriptor;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Earlier revisions that are served too, oldest first. Default: none. */
  readonly revisions?: readonly ServedRevision[];
  /** The authentication scheme that its spec names (`auth.scheme`). Default: `signedEnvelope()`. */
  readonly auth?: SchemeVerifier<string, Caller>;
}

/** A standard JSON-RPC interface. Its handlers get the context of the engine, too: `store`, `events`, `mail` and the others. */
export interface StandardRow extends ServedRow {
  readonly descriptor: JsonRpcInterfaceDescriptor;
  readonly handlers: Readonly<Record<string, StandardHandler>>;
  /** A verifier for each authentication scheme of its spec. */
  readonly auth?: Readonly<Record<string, SchemeVerifier>>;
  /** Who calls, in the words of the engine; `auth` is empty where a method is open. */
  callerOf(auth: AuthIdentities): Caller;
}

/**
 * One interface that the service serves, on a port of its own. Its name gives the realm of its users and the settings
 * `<name>.host` and `<name>.port`. One that is `beside` another has neither users nor settings of its own.
 */
interface ServedRow {
  /**
   * Whether anyone may reach it: then it needs an address in production, has the service's public keys, shows
   * `/metrics` only with `metrics.public`, and obeys `auth.flatBodies`.
   */
  readonly isPublic?: true;
  /** Whether commands manage its users: other processes learn of no revocation, so that none of them keeps a caller. */
  readonly isManagedByCommands?: true;
  /** Whether it is served only where the setting `<name>.interface` is on. Not for one that is `beside` another. */
  readonly isOptional?: true;
  /** The interface whose users may call it too, and on whose port it is served, on its own path, where `isOn`. */
  readonly beside?: { readonly name: string; isOn(config: Config): boolean };
  /** Folder of what was generated for it, from the application's root. Default: `generated/<name>`. */
  readonly generated?: string;
  /** Pages on its port that work with it, where `console.pages` says so. `root` is the application's unless it names another. */
  readonly console?: Omit<WebPages, "root"> & Partial<Pick<WebPages, "root">>;
}
