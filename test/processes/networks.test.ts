import assert from "node:assert/strict";
import { companyNetwork } from "../support/company-network";
import { startIn } from "./support";

describe("Behind a company's proxy and its private authority,", () => {
  const { simulator, servicePort, proxyAt, proxyUrl, connects, authority, nameServer } = companyNetwork();

  /** Runs doctor in a process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts. */
  async function doctor(environment: Record<string, string>) {
    const defaults = {
      PATH: process.env["PATH"],
      WORKSPACE_APPS_BASE_URL: "https://service.test",
      WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token",
    };
    const { stdout, stderr } = await startIn({ ...defaults, ...environment }, "doctor", "--json").ended;
    assert.doesNotMatch(stdout + stderr, /pass%20word|pass word|cm9ib3Q6/, "the proxy's password");
    const report = JSON.parse(stdout) as { checks: { check: string; state: string; seen: string; fix?: string }[] };
    return report.checks.find(({ check }) => check === "reachability") ?? assert.fail(stdout + stderr);
  }

  it("the service is reached with HTTPS_PROXY and NODE_EXTRA_CA_CERTS", async () => {
    const { state, seen } = await doctor({ HTTPS_PROXY: proxyUrl(), NODE_EXTRA_CA_CERTS: authority() });
    assert.equal(state, "ok", seen);
    assert.ok(seen.endsWith(` through the proxy http://${proxyAt()} (HTTPS_PROXY)`), seen);
    assert.deepEqual([...new Set(connects())], ["CONNECT service.test:443"]);
    assert.ok(simulator.requests.length > 0);
  });

  it("no request is sent without the authority's certificate, and the fix names the variable", async () => {
    const { state, fix } = await doctor({ HTTPS_PROXY: proxyUrl() });
    assert.equal(state, "fail");
    assert.match(fix ?? "", /set NODE_EXTRA_CA_CERTS to its PEM file/);
    assert.deepEqual(simulator.requests, []);
  });

  it("no request is sent with wrong credentials for the proxy", async () => {
    const { seen } = await doctor({ HTTPS_PROXY: `http://robot@${proxyAt()}`, NODE_EXTRA_CA_CERTS: authority() });
    assert.match(seen, /answered 407 to CONNECT service\.test:443 \(it requires valid credentials\)/);
    assert.deepEqual(simulator.requests, []);
  });

  it("an IPv6 address is reached, through the proxy and without it", async () => {
    const environment = { HTTPS_PROXY: proxyUrl(), NODE_EXTRA_CA_CERTS: authority() };
    const proxied = await doctor({ ...environment, WORKSPACE_APPS_BASE_URL: "https://[2001:db8::1]" });
    assert.equal(proxied.state, "ok", proxied.seen);
    assert.deepEqual([...new Set(connects())], ["CONNECT [2001:db8::1]:443"]);
    const count = connects().length;
    const direct = await doctor({ ...environment, WORKSPACE_APPS_BASE_URL: `https://[::1]:${servicePort()}` });
    assert.equal(direct.state, "ok", direct.seen);
    assert.equal(connects().length, count);
  });

  it("the proxy is left alone where NO_PROXY names the service", async () => {
    const environment = {
      HTTPS_PROXY: proxyUrl(),
      NODE_EXTRA_CA_CERTS: authority(),
      NODE_OPTIONS: nameServer(),
      WORKSPACE_APPS_BASE_URL: `https://service.test:${servicePort()}`,
    };
    const direct = await doctor({ ...environment, NO_PROXY: ".test" });
    assert.equal(direct.state, "ok", direct.seen);
    assert.deepEqual(connects(), []);
    assert.ok(simulator.requests.length > 0);
    const proxied = await doctor({ ...environment, NO_PROXY: ".other" });
    assert.equal(proxied.state, "ok", proxied.seen);
    assert.ok(connects().length > 0);
  });
});
