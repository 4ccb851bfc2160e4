/**
 * Runs every socket fault with every exchange and prints the verdicts as JSON. It is a separate program, so that it
 * runs under any version of Node. Argument: the keys and certificates, as JSON.
 */
import { answerLookups, exchanges, meet, type Verdict } from "./exchange";
import type { Keys, SocketFault } from "./fault";
import { plainFaults } from "./plain";
import { proxyFaults } from "./proxies";
import { tlsFaults } from "./tls";

/** Enough that the faults that wait for a timeout wait concurrently. */
const lanes = 8;
/** Only the pool is shared. */
const crowded = ["a pooled read"] as const;

async function main(): Promise<void> {
  const keys = JSON.parse(process.argv[2] ?? "") as Keys;
  const verdicts: Verdict[] = [];
  const take = async (fault: SocketFault): Promise<void> => {
    for (const exchange of fault.crowd === undefined ? exchanges : crowded)
      verdicts.push(...(await meet(fault, exchange, keys)));
  };
  // The slow ones first, so that nothing waits only for them at the end.
  const faults = [...plainFaults, ...tlsFaults, ...proxyFaults].sort(
    (one, other) => (one.timeoutSeconds ?? Infinity) - (other.timeoutSeconds ?? Infinity),
  );
  answerLookups(faults);
  const lane = async (): Promise<void> => {
    for (let fault = faults.shift(); fault !== undefined; fault = faults.shift()) await take(fault);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  process.stdout.write(JSON.stringify({ version: process.version, verdicts }));
}

void main();
