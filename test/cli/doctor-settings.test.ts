import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { closedAfterEach } from "../service/support/close-after-each";
import { type Environment, environmentOf, examined, healthySimulator, run } from "./support/doctor";

const open = closedAfterEach();

describe("workspace-apps doctor reads the settings and", () => {
  it("reports that the base URL and the token are missing, and how to set each", async () => {
    const { code, report, check, failed } = await examined({});
    assert.equal(code, 1);
    assert.deepEqual(failed(), ["setting baseUrl", "setting accessToken"]);
    assert.deepEqual([check("setting baseUrl").cause, check("setting baseUrl").seen], ["missing", "is not set"]);
    assert.match(
      check("setting baseUrl").fix ?? "",
      /pulumi config set workspace-apps:baseUrl .*WORKSPACE_APPS_BASE_URL/,
    );
    assert.match(check("setting accessToken").fix ?? "", /pulumi config set --secret workspace-apps:accessToken/);
    assert.equal(check("reachability").seen, "the settings are not valid");
    assert.deepEqual([report.requests, report.operations.some(({ state }) => state !== "not checked")], [0, false]);
    assert.match(
      (await run({}, [])).stdout,
      /not checked\. No request was sent\. Doctor never calls the\s+\d+\s+operations/,
    );
  });

  it("reports everything that is malformed at once, and sends no request", async () => {
    const simulator = open(await healthySimulator());
    const environment = environmentOf(simulator.url, {
      WORKSPACE_APPS_BASE_URL: "http://service.example",
      WORKSPACE_APPS_ACCESS_TOKEN: "two words",
      WORKSPACE_APPS_ENDPOINTS: '{"webhook.gte": "none", "webhook.get": "GET /x"}',
      WORKSPACE_APPS_RATE_LIMITS: "[]",
      WORKSPACE_APPS_DOCUMENTED_ONLY: "yes",
      WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "-1",
    });
    const { code, report, failed } = await examined(environment);
    assert.equal(code, 1);
    assert.deepEqual(failed(), [
      "setting baseUrl",
      "setting accessToken",
      "setting endpoints",
      "setting endpoints",
      "setting documentedOnly",
      "setting rateLimits",
      "setting launchSettleSeconds",
    ]);
    for (const { cause, seen } of report.checks.filter(({ state }) => state === "fail")) {
      assert.equal(cause, "malformed");
      assert.match(seen, /\(from WORKSPACE_APPS_/);
    }
    assert.deepEqual(simulator.requests, []);
  });

  it("shows where each value comes from, and shows no secret", async () => {
    const simulator = open(await healthySimulator());
    const { check } = await examined(environmentOf(simulator.url, { WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: "7" }));
    assert.equal(check("setting baseUrl").seen, `${simulator.url} (from WORKSPACE_APPS_BASE_URL)`);
    assert.equal(check("setting accessToken").seen, "set by WORKSPACE_APPS_ACCESS_TOKEN (value hidden)");
    assert.equal(check("setting requestTimeoutSeconds").seen, "7 (from WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS)");
    assert.match(check("other settings").seen, /^not set: apiKey, endpoints, /);
  });

  it("warns about unknown setting names", async () => {
    const simulator = open(await healthySimulator());
    const environment = environmentOf(simulator.url, { WORKSPACE_APPS_APIKEY: "secret", WORKSPACE_APPS_REGION: "eu" });
    const { code, report } = await examined(environment);
    assert.equal(code, 0);
    const warned = report.checks.filter(({ cause }) => cause === "unknown-setting");
    assert.deepEqual(
      warned.map(({ state, seen }) => `${state}: ${seen}`),
      ["warn: Unknown setting WORKSPACE_APPS_APIKEY", "warn: Unknown setting WORKSPACE_APPS_REGION"],
    );
    assert.equal(warned[0]?.fix, "Did you mean WORKSPACE_APPS_API_KEY?");
    assert.match(warned[1]?.fix ?? "", /one of WORKSPACE_APPS_BASE_URL, /);
  });
});

describe("workspace-apps doctor --stack", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "doctor-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A fake pulumi CLI with the given output and exit code. */
  async function pulumi({ stdout = "", stderr = "", code = 0 }): Promise<Environment> {
    const script = `#!${process.execPath}
require("fs").writeFileSync(${JSON.stringify(path.join(folder, "called"))}, JSON.stringify([process.argv.slice(2), process.cwd()]));
process.stdout.write(${JSON.stringify(stdout)});
process.stderr.write(${JSON.stringify(stderr)});
process.exitCode = ${String(code)};
`;
    await writeFile(path.join(folder, "pulumi"), script);
    await chmod(path.join(folder, "pulumi"), 0o755);
    return { PATH: folder };
  }

  const configuration = (values: Record<string, { value: string; secret?: boolean }>): string =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(values).map(([key, { value, secret = false }]) => [`workspace-apps:${key}`, { value, secret }]),
      ),
    );

  it("prefers the stack's configuration to the environment, and says which one was used", async () => {
    const simulator = open(await healthySimulator());
    const stdout = configuration({
      baseUrl: { value: simulator.url },
      accessToken: { value: "full-access-token", secret: true },
      apiKey: { value: "personal-api-key", secret: true },
    });
    const environment = {
      ...(await pulumi({ stdout })),
      WORKSPACE_APPS_BASE_URL: "https://elsewhere.invalid",
      WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "5",
    };
    const { code, check, report } = await examined(environment, [
      "--stack",
      "dev",
      "--cwd",
      folder,
      "--id",
      "app_id=a",
    ]);
    assert.equal(code, 0, JSON.stringify(report));
    assert.equal(
      check("setting baseUrl").seen,
      `${simulator.url} (from the stack); WORKSPACE_APPS_BASE_URL is also set, but ignored`,
    );
    assert.equal(check("setting accessToken").seen, "set by the stack (value hidden)");
    assert.equal(check("setting launchSettleSeconds").seen, "5 (from WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS)");
    assert.equal(check("credential api_key").state, "ok");
    const called = JSON.parse(await readFile(path.join(folder, "called"), "utf8")) as [string[], string];
    assert.deepEqual(called[0], ["config", "--json", "--show-secrets", "--non-interactive", "--stack=dev"]);
    assert.equal(path.basename(called[1]), path.basename(folder));
  });

  it("says how to remove a disabled API key from the stack", async () => {
    const simulator = open(await healthySimulator());
    const stdout = configuration({
      baseUrl: { value: simulator.url },
      accessToken: { value: "full-access-token", secret: true },
      apiKey: { value: "switched-off", secret: true },
    });
    const { check } = await examined(await pulumi({ stdout }), ["--stack", "dev", "--id", "app_id=a"]);
    assert.equal(check("credential api_key").cause, "key-refused");
    assert.match(check("credential api_key").fix ?? "", /pulumi config rm workspace-apps:apiKey/);
  });

  it("warns about a token that is stored in the stack in plain text", async () => {
    const simulator = open(await healthySimulator());
    const stdout = configuration({ baseUrl: { value: simulator.url }, accessToken: { value: "full-access-token" } });
    const { code, check } = await examined(await pulumi({ stdout }), ["--stack", "dev"]);
    assert.equal(code, 0);
    assert.deepEqual(
      [check("setting accessToken").state, check("setting accessToken").cause],
      ["warn", "plain-text-secret"],
    );
    assert.match(check("setting accessToken").fix ?? "", /pulumi config set --secret workspace-apps:accessToken/);
  });

  it("redacts every secret value of the stack", async () => {
    const server = "https://canary-host.invalid";
    const stdout = configuration({
      baseUrl: { value: server, secret: true },
      accessToken: { value: "canary-token", secret: true },
      maxDailyBudgetMicros: { value: "987654321", secret: true },
    });
    const environment = { ...(await pulumi({ stdout })), WORKSPACE_APPS_API_KEY: "canary-key" };
    for (const args of [[], ["--json"]]) {
      const printed = await run(environment, ["--stack", "dev", ...args]);
      assert.doesNotMatch(printed.stdout + printed.stderr, /canary-(token|key)|https:\/\/canary|987654321/);
    }
  });

  it("lists unknown keys of its own namespace, and ignores other namespaces", async () => {
    const stdout = JSON.stringify({
      "workspace-apps:baseURL": { value: "https://x.invalid", secret: false },
      "aws:region": { value: "eu-west-1", secret: false },
    });
    const { report, check } = await examined(await pulumi({ stdout }), ["--stack", "dev"]);
    assert.equal(check("setting names").fix, "Did you mean workspace-apps:baseUrl?");
    assert.doesNotMatch(JSON.stringify(report), /aws/);
  });

  const failures: [string, Parameters<typeof pulumi>[0], RegExp][] = [
    [
      "the stack does not exist",
      { stderr: "error: no stack named 'dev' found\n", code: 6 },
      /: no stack named 'dev' found$/,
    ],
    ["the passphrase is wrong", { stderr: "error: incorrect passphrase\n", code: 1 }, /: incorrect passphrase$/],
    ["its output is not JSON", { stdout: "canary-token" }, /cannot be read$/],
    ["its output has another shape", { stdout: '{"a": "canary-token"}' }, /cannot be read$/],
  ];
  for (const [when, printed, seen] of failures)
    it(`fails with a fix, and checks nothing else, when ${when}`, async () => {
      const environment = { ...environmentOf("https://service.invalid"), ...(await pulumi(printed)) };
      const { code, check, report, failed } = await examined(environment, ["--stack", "dev"]);
      assert.equal(code, 1);
      assert.deepEqual(failed(), ["stack"]);
      assert.match(check("stack").seen, seen);
      assert.match(check("stack").fix ?? "", /Run `pulumi config`/);
      assert.equal(report.requests, 0);
      assert.doesNotMatch(JSON.stringify(report), /canary/);
    });

  it("fails with a fix when the pulumi CLI is not installed", async () => {
    const { check } = await examined({ ...environmentOf("https://service.invalid"), PATH: folder }, ["--stack", "dev"]);
    assert.deepEqual([check("stack").state, check("stack").cause], ["fail", "stack-unreadable"]);
    assert.equal(check("stack").seen, "the pulumi CLI was not found on PATH");
    assert.match(check("stack").fix ?? "", /Install the Pulumi CLI/);
  });

  it("fails with a fix when the folder does not exist", async () => {
    const missing = path.join(folder, "missing");
    const { check } = await examined(await pulumi({}), ["--stack", "dev", "--cwd", missing]);
    assert.equal(check("stack").seen, `the folder ${missing} does not exist`);
    assert.match(check("stack").fix ?? "", /--cwd/);
  });
});
