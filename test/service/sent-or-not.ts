import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { selfSigned } from "../cli/support/self-signed";
import { type NodeMajor, nodeProgram } from "../support/node-majors";
import type { Verdict } from "./socket-faults/exchange";
import type { Keys } from "./socket-faults/fault";
import { plainFaults } from "./socket-faults/plain";
import { proxyFaults } from "./socket-faults/proxies";
import { tlsFaults } from "./socket-faults/tls";

/* The server's log of bytes decides. The client and its transport are those of the product, on every Node version. */

const run = promisify(execFile);
export const faults = [...plainFaults, ...tlsFaults, ...proxyFaults];

interface Report {
  version: string;
  verdicts: Verdict[];
}

/** Runs all faults under one version of Node. */
async function reportOf(major: NodeMajor): Promise<Report> {
  const program = await nodeProgram(major);
  const keys: Keys = {
    trusted: selfSigned(),
    untrusted: selfSigned(),
    expired: selfSigned(2021),
    behindProxy: selfSigned(2049, "service.test"),
  };
  const folder = await mkdtemp(path.join(tmpdir(), "workspace-apps-faults-"));
  try {
    const vouched = path.join(folder, "vouched.pem");
    await writeFile(vouched, keys.trusted.cert + keys.expired.cert + keys.behindProxy.cert);
    const script = path.join(__dirname, "socket-faults/run.ts");
    const args = ["--require", "ts-node/register", script, JSON.stringify(keys)];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: vouched };
    const { stdout } = await run(program, args, { env, maxBuffer: 2 ** 24, timeout: 240_000 });
    return JSON.parse(stdout) as Report;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares the client's result with the server's log of bytes, on these versions of Node. */
export function sentOrNot(majors: readonly NodeMajor[]): void {
  describe("Whether a request was sent", () => {
    for (const major of majors)
      describe(`on Node ${String(major)}`, () => {
        let report: Report;
        before(async () => {
          report = await reportOf(major);
          assert.match(report.version, new RegExp(`^v${String(major)}\\.`));
        });

        for (const { name, mustBe, arrives } of faults)
          it(`is known for a request ${name}`, () => {
            const verdicts = report.verdicts.filter(({ fault }) => fault === name);
            assert.notEqual(verdicts.length, 0);
            for (const verdict of verdicts) {
              const { said, bytes, arrivals } = verdict;
              if (said === "not-sent") assert.equal(bytes, 0, JSON.stringify(verdict));
              if (mustBe !== undefined) assert.equal(said, mustBe, JSON.stringify(verdict));
              // A request that may have arrived is not repeated here.
              assert.ok(arrivals <= 1, JSON.stringify(verdict));
              // Five attempts, and not one connection after the other. Undici connects again where it sees a reset before
              // it has written, so an attempt may take a few.
              assert.ok(verdict.proxyConnections <= 50, JSON.stringify(verdict));
            }
            // A fault that no request reaches would prove nothing.
            if (arrives !== false) assert.ok(verdicts.some(({ bytes }) => bytes > 0));
          });
      });
  });
}
