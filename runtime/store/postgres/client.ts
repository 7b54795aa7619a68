import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import pg from "pg";
import { UnavailableError } from "../ports/index.ts";

/**
 * A connection that proves its password by SCRAM. A server that asks for the password itself, or for its MD5 hash,
 * gets it over verified TLS or a Unix socket only. An impostor would learn it otherwise.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this;
    const guard = (): void => {
      const { stream } = connection;
      const isVerified = stream instanceof TLSSocket && stream.authorized;
      if (isVerified || this.host.startsWith("/")) return;
      // The driver asks for a password that is a function when it needs it, and reports what that rejects with.
      Object.assign(this, { password: refusePassword });
    };
    // Heard before the driver's own listeners, which are added when it connects.
    connection.on("authenticationCleartextPassword", guard);
    connection.on("authenticationMD5Password", guard);
    guardReading(connection);
    // After an error of its own the driver leaves the connection open, and a process waits for the server to end it.
    connection.on("error", () => connection.stream.destroy());
  }
}

/**
 * The driver reads messages in a listener of its own, and throws for one that it cannot read: that would end the process. It
 * fails the connection instead.
 */
function guardReading(connection: pg.Connection): void {
  const attach: unknown = Reflect.get(connection, "attachListeners");
  if (typeof attach !== "function") throw new Error("the driver attaches its listeners otherwise");
  const attachListeners = (stream: Duplex): void => {
    const on = (event: string, listener: (chunk?: Buffer) => void): void => {
      const read = (chunk?: Buffer): void => {
        try {
          listener(chunk);
        } catch (error) {
          stream.destroy(error instanceof Error ? error : new Error(String(error)));
        }
      };
      stream.on(event, read);
    };
    Reflect.apply(attach, connection, [{ on }]);
  };
  Object.assign(connection, { attachListeners });
}

function refusePassword(): Promise<string> {
  return Promise.reject(
    new UnavailableError("unreachable", {
      message:
        "The database server asks for the password in clear or as an MD5 hash, over a connection that is not verified TLS: " +
        "it was not sent. Add sslmode=verify-full to LEDGER_DATABASE_URL, or set password_encryption = scram-sha-256 on the " +
        "server, give the user's password anew, and write scram-sha-256 in its pg_hba.conf",
    }),
  );
}
