export type { Config, Endpoint } from "./config-types.ts";
export { unverifiedServer } from "./checks.ts";
export { inspectConfig, loadConfig } from "./config.ts";
export { inItsWords, serviceNames, type ServiceNames } from "./service-names.ts";
export { ConfigError, type InspectedValues } from "./values.ts";
export {
  both,
  choice,
  flag,
  integer,
  list,
  settingsOf,
  type Configured,
  type Setting,
  type Value,
} from "./settings/index.ts";
