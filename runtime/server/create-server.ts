import type { Logger } from "pino";
import { addUser, type NewUser, type UserAccess } from "../operations/admin/index.ts";
import { loadConfig, serviceNames, type Value } from "../operations/config/index.ts";
import { createLogger } from "../operations/log/logger.ts";
import { hasUsers, type Application } from "./application.ts";
import { compose, type Service } from "./compose.ts";

/** Values of settings by their paths: `{ "database.url": "postgres://…", "payments.port": 0 }`. */
export type Settings = Readonly<Record<string, Value>>;

export interface ServerOptions {
  /** Where other settings come from. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: JSON lines on standard output, from the severity `log.level` on. */
  readonly logger?: Logger;
  /** Whether pending migrations are applied; otherwise they are an error. Default: true, unless in production. */
  readonly migrate?: boolean;
}

/** A user to be added: by default of the first signed interface, of the application's own institution, for all methods. */
export interface ServerUser extends Pick<NewUser, "userName" | "publicKeyPem" | "scopes"> {
  readonly email?: string;
  readonly institutionId?: string;
  readonly interface?: string;
}

export interface Server extends Service {
  /** Adds a user with a key. The API key is shown this once. @throws Error if the user name is taken */
  addUser(user: ServerUser): Promise<UserAccess>;
}

/** The interfaces that have users of their own in the store. */
export function realmsOf({ interfaces }: Application): readonly string[] {
  return interfaces.flatMap((row) =>
    hasUsers(row) && row.beside === undefined ? [row.descriptor.name] : [],
  );
}

/**
 * Puts the service of an application together; `listen()` opens its ports and starts delivery. Settings that are not
 * given come from environment and file.
 * @throws ConfigError naming every mistake in the settings
 */
export async function createServer(
  application: Application,
  settings: Settings = {},
  { env = process.env, logger, migrate }: ServerOptions = {},
): Promise<Server> {
  const config = loadConfig(application, env, { given: settings });
  const service = await compose(application, {
    config,
    logger: logger ?? createLogger(application, config.logLevel),
    migrate: migrate ?? config.profile === "sandbox",
  });
  const { name } = application;
  return {
    ...service,
    addUser({ interface: realm = realmsOf(application)[0] ?? "", ...user }) {
      const command = `${serviceNames(application).program} addUser`;
      const whole = { email: "", institutionId: name, institutionName: name, ...user };
      return addUser(service, whole, { realm, noun: "user", command });
    },
  };
}
