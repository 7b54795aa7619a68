import { runProgram } from "../../runtime/operations/cli/index.ts";
import { application } from "../application.ts";
import { operatorRealm } from "../handlers/services/users/realms.ts";
import { requireFitting } from "../seed/index.ts";
import { demo } from "./demo.ts";
import { addOperatorCommands } from "./operate/index.ts";

/** The command `ledger-server`. */
export function run(argv: readonly string[]): Promise<void> {
  return runProgram(
    {
      application,
      description:
        "The banking ledger service of ledger-rpc: signed JSON-RPC over HTTP, on SQLite or PostgreSQL.",
      demo,
      managed: {
        command: "operator",
        noun: "operator",
        realms: [operatorRealm],
        check: requireFitting,
        listText: async (operators) =>
          (await import("./operate/output.ts")).resultText(operators, undefined, process.stdout.columns),
      },
      addCalls(program, words) {
        program.commandsGroup("The operator's work, over the port of a service that runs:");
        return addOperatorCommands(program, words);
      },
    },
    argv,
  );
}
