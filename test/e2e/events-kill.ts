/**
 * `npm run events:kill -- [rounds] [seed]`: kills a process under load that often (200), and says what was lost,
 * invented or out of order. Ends with 1 if anything was.
 */
import { killAgainAndAgain } from "./events-killed.ts";

const [, , roundsText = "200", seedText = String(Date.now() % 2 ** 31)] = process.argv;
const [rounds, seed] = [Number(roundsText), Number(seedText)];
console.log(`${rounds} rounds, seed ${seed}`);
const { acknowledged, committed, received, looks, faults } = await killAgainAndAgain({
  rounds,
  seed,
  onRound(round, found) {
    if (round % 10 === 0 || found.faults.length > 0)
      console.log(
        `round ${round}: ${found.acknowledged} acknowledged, ${found.received} received, ${found.faults.length} faults`,
      );
  },
});
console.log(`killed ${rounds} times, looked ${looks} times`);
console.log(`${acknowledged} events acknowledged, ${committed} committed, to 3 subscriptions each`);
console.log(`${received} notifications received, ${received - 3 * committed} of them again`);
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? "nothing lost, nothing invented, no gap" : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
