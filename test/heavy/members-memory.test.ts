import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type GivenMember, startSimulator } from "../../simulator";
import { crowd } from "../lookups/support";

const execute = promisify(execFile);

describe("getMembers", () => {
  it("needs no more memory than the members themselves, however much else the service sends", async () => {
    // 400 MB in total, read by a process with a quarter of that memory.
    const padding = "x".repeat(40_000);
    const simulator = await startSimulator({ limits: { "member.list": 1_000 } });
    simulator.objects.setMembers(crowd(10_000).map((member) => ({ ...member, padding }) as GivenMember));
    const program = `
      const { ServiceClient } = require("./provider/service/client");
      const { LookupRun } = require("./provider/pulumi/lookup-run");
      const { membersLookup } = require("./provider/lookups/members");
      const { VirtualClock } = require("./test/support/clock");
      const { connectionTo } = require("./test/service/support/client");
      const service = new ServiceClient(connectionTo(process.argv[1]), new VirtualClock(), () => undefined);
      const run = new LookupRun(service, new VirtualClock());
      run.run(membersLookup, {}, { info() {}, warn() {} }).then(({ members }) => console.log(members.length));`;
    const { stdout } = await execute(process.execPath, [
      "--max-old-space-size=100",
      "--require",
      "ts-node/register/transpile-only",
      "--eval",
      program,
      simulator.url,
    ]).finally(() => simulator.close());
    assert.equal(stdout.trim(), "10000");
  }).timeout(60_000);
});
