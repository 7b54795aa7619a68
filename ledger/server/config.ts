import * as config from "../../runtime/config/index.ts";
import { interfaces } from "./interfaces.ts";

const named = interfaces
  .filter(({ beside }) => beside === undefined)
  .map(({ descriptor, isPublic = false }) => ({ name: descriptor.name, isPublic }));

type Environment = Readonly<Record<string, string | undefined>>;

/** Every setting of the service, those of each interface in its table among them. */
export const settings: readonly config.Setting[] = config.settingsOf(named);

/**
 * The service's configuration, from environment and file.
 * @throws ConfigError naming every mistake.
 */
export function loadConfig(env: Environment, accepting?: { readonly acceptsWeakKey: true }): config.Config {
  return config.loadConfig(env, named, accepting);
}

/** The values of environment and file, with their mistakes. */
export function inspectConfig(env: Environment): config.InspectedValues {
  return config.inspectConfig(env, named);
}
