import { missed, standardFaults } from "./faults.ts";
import { failuresWith } from "./try-fault.ts";

// Prints how many of the seeded faults the suite finds: node test/conformance/standard/score.ts
const blamed = await failuresWith({}, 100);
if (blamed.length > 0) throw new Error(`a right service is blamed: ${blamed.join(", ")}`);
let caught = 0;
for (const fault of standardFaults) {
  const [first] = await failuresWith(fault);
  if (first !== undefined) caught += 1;
  console.log(`${first === undefined ? "MISSED" : "caught"} ${fault.id} ${first ?? fault.description}`);
}
console.log(`${caught} of ${standardFaults.length} faults of a standard interface are caught`);
process.exitCode = caught === standardFaults.length - missed.length ? 0 : 1;
