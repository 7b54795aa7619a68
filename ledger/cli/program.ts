import { runProgram } from "../../runtime/operations/cli/program.ts";
import { application } from "../application.ts";
import { demo } from "./demo.ts";
import { answerLocalWork } from "./local-work.ts";
import { addOperatorCommands } from "./operate/index.ts";
import { addOperatorManagement, addServiceKeys } from "./operator.ts";

/** The command `ledger-server`. */
export function run(argv: readonly string[]): Promise<void> {
  return runProgram(
    {
      application,
      description:
        "The banking ledger service of ledger-rpc: signed JSON-RPC over HTTP, on SQLite or PostgreSQL.",
      demo,
      answering: answerLocalWork,
      addManagement(program) {
        addOperatorManagement(program);
        addServiceKeys(program);
      },
      addCalls(program, words) {
        program.commandsGroup("The operator's work, over the port of a service that runs:");
        return addOperatorCommands(program, words);
      },
    },
    argv,
  );
}
