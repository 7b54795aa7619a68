import type { samplers } from "./settings/index.ts";

/** The service's configuration: complete, checked and typed. */
export interface Config {
  readonly profile: "sandbox" | "production";
  readonly dataDir: string;
  readonly database: DatabaseConfig;
  readonly http: { readonly shutdownGraceMs: number };
  /** Where each interface listens, by its name. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Bounds of what callers may ask of the process. */
  readonly limits: LimitsConfig;
  /** Whether the documented interface's port serves `/metrics`. */
  readonly metricsPublic: boolean;
  /** Whether each port serves the reference pages of its interface. */
  readonly referencePages: boolean;
  /** Whether each port serves the pages that work with its interfaces: the operator's console, the partner's page. */
  readonly consolePages: boolean;
  readonly consoleReport: string | undefined;
  readonly logLevel: string;
  readonly errorsHttpStatus: "ok" | "mapped";
  readonly unknownFields: "ignore" | "reject";
  readonly flatBodies: "signed" | "open";
  readonly replay: "standard" | "strict";
  readonly subscriptionsPerUserMax: number;
  readonly reads: ReadsConfig;
  readonly callbackNetworksAllowed: readonly string[];
  /** None: any. */
  readonly callbackPortsAllowed: readonly number[];
  readonly callbackCaFile: string | undefined;
  readonly events: EventsConfig;
  readonly audit: { readonly rootMinutes: number };
  /** `perSecond` 0: no limit. */
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  readonly mail: MailConfig;
  /** Absent: tracing is off. */
  readonly tracing: TracingConfig | undefined;
  /** Base64 of 32 bytes; absent in the sandbox, which keeps one of its own. */
  readonly sealKey: string | undefined;
  /** Every setting by its path, for an application to read its own. */
  readonly given: GivenValues;
  /** Faults with which the service starts, to be logged. */
  readonly warnings: readonly { readonly where: string; readonly message: string }[];
}

/** Reads checked settings, each as its type. Where one has no value, what needs one throws: that is a bug. */
export interface GivenValues {
  text(path: string): string;
  number(path: string): number;
  choice<T extends string>(path: string, ...choices: readonly T[]): T;
  /** Whether a flag is set. */
  flag(path: string): boolean;
  /** Undefined where none was given. */
  list(path: string): readonly string[] | undefined;
}

/** Which database is used, and how. */
export interface DatabaseConfig {
  /** May hold a password: never printed. */
  readonly url: string;
  /** Whether no URL was given. */
  readonly isInDataDir: boolean;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Names that requests may be for, beside those that the port listens on; `*`: any. */
  readonly names: readonly string[];
  /** Scheme and host that callers see, where a proxy is in front: `https://api.example`. */
  readonly origin: string | undefined;
}

export interface LimitsConfig {
  readonly connectionsMax: number;
  /** 0: no limit. */
  readonly connectionsPerAddressMax: number;
  readonly requestsMax: number;
  readonly requestsPerConnectionMax: number;
  readonly queueMaxMs: number;
  readonly bodyBytesMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly answerBytesMax: number;
}

/** The limits of one list. */
export interface ReadsConfig {
  readonly threads: number;
  readonly rowsMax: number;
  readonly timeMs: number;
}

export interface EventsConfig {
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly originConcurrency: number;
  readonly waitingPerUserMax: number;
  readonly retentionDays: number;
}

/** Where traces go, and how many of them. */
export interface TracingConfig {
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  readonly sampler: (typeof samplers)[number];
  /** 0 to 1. */
  readonly sampleRatio: number;
}

export type MailConfig =
  | { readonly transport: "folder"; readonly from: string }
  | {
      readonly transport: "smtp";
      readonly from: string;
      readonly host: string;
      readonly port: number;
      readonly security: "tls" | "starttls" | "none";
      readonly login: { readonly user: string; readonly password: string } | undefined;
    };
