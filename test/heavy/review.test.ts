import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type OperationId, operations } from "../../provider/service/operations";
import { assertDone, type PulumiProject } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { installedProject } from "../../tools/harness/installation";
import { after, reviewedStack, secrets } from "../../tools/harness/reviewed-stack";

interface Report {
  complete: boolean;
  spend: {
    totals: { currency: string | null; before: { micros: string }; after: { micros: string; notKnown: number } }[];
  };
  risks: { category: string; text: string; resources: { name: string }[] }[];
}

/** Runs the published command with a plan on standard input. */
function review(plan: string, ...options: string[]) {
  const command = path.join(installedProject(), "node_modules/.bin/workspace-apps");
  return spawnSync(command, ["review", ...options], { input: plan, encoding: "utf8" });
}

/** Reviews the plan of a stack with gates, for which its state is needed. */
async function gate(stack: PulumiProject, plan: string, ...options: string[]) {
  const file = path.join(stack.folder, "state.json");
  await writeFile(file, await stack.exportState());
  return review(plan, "--state", file, ...options);
}

describe("workspace-apps review with plans of the real engine", () => {
  const { simulator } = onSimulator();
  const spentBy = (appId: string): number =>
    simulator.objects
      .campaigns(appId)
      .filter(({ status }) => status === "ENABLED")
      .reduce((sum, { daily_budget_micros }) => sum + daily_budget_micros, 0);

  it("predicts what an up does: the spend, the deletions, the launches, the assumed paths", async () => {
    const stack = await reviewedStack(simulator);
    await stack.write(after);
    const { stdout: plan } = await stack.plan();

    const gated = await gate(stack, plan, "--fail-on", "permanent-delete");
    assert.equal(gated.status, 3, gated.stderr);
    assert.doesNotMatch(gated.stdout, secrets);
    const { status, stdout } = review(plan, "--format", "json");
    const { complete, spend, risks } = JSON.parse(stdout) as Report;
    assert.deepEqual([status, complete], [0, true]);
    const named = (category: string): string[] =>
      risks.filter((risk) => risk.category === category).flatMap(({ resources }) => resources.map(({ name }) => name));
    const dollars = spend.totals.find(({ currency }) => currency === "USD");
    assert.equal(spentBy("app-shop"), Number(dollars?.before.micros));

    const launchesBefore = simulator.objects.launches().length;
    simulator.clearRequests();
    assertDone(await stack.up());
    const notKnown = 9_000_000 + 4_000_000;
    assert.deepEqual([spentBy("app-shop") - notKnown, 2], [Number(dollars?.after.micros), dollars?.after.notKnown]);
    const count = (operation: OperationId): number =>
      simulator.requests.filter((request) => request.operation === operation).length;
    const deletions: OperationId[] = ["campaign.delete", "test.delete", "record.delete", "webhook.delete"];
    // Nothing else was launched under the key of "uncertain", whose orphans would be deleted.
    assert.deepEqual(
      named("permanent-delete").filter((name) => name === "uncertain"),
      ["uncertain"],
    );
    assert.equal(
      named("permanent-delete").length - 1,
      deletions.reduce((sum, operation) => sum + count(operation), 0),
    );
    assert.equal(
      named("launch").length,
      simulator.objects.launches().length - launchesBefore + count("codingSession.launch"),
    );
    const assumed = risks.filter(({ category }) => category === "assumed-path").map(({ text }) => text.split('"')[1]);
    const called = new Set(simulator.requests.flatMap(({ operation }) => operation ?? []));
    assert.deepEqual(assumed.sort(), [...called].filter((operation) => !operations[operation].documented).sort());

    const destroying = await stack.pulumi("destroy", "--preview-only", "--json", "--non-interactive");
    const ended = JSON.parse(review(destroying.stdout, "--format", "json").stdout) as Report;
    const left = ended.risks.filter(({ category }) => category === "left-behind");
    assert.match(left.map(({ text }) => text).join("\n"), /"cmp-adopted" .* goes on spending USD 5\.00 a day/);
    assert.equal(ended.spend.totals.find(({ currency }) => currency === "USD")?.after.micros, "5000000");
  });
});
