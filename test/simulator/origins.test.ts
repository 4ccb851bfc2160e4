import assert from "node:assert/strict";
import { bearer, onSimulator, send, webhookBody } from "./support";

describe("The simulator, to a browser,", () => {
  const { simulator } = onSimulator({ hosts: ["service.test"] });
  beforeEach(() => {
    simulator.objects.putWebhook("a", { id: "w" });
  });

  /** The statuses of a request to the control interface, to the page and to the service. */
  async function statuses(headers: Record<string, string>): Promise<number[]> {
    const control = await send(simulator, "DELETE", "/__simulator/objects/webhooks?agentId=a&webhookId=w", { headers });
    const page = await send(simulator, "GET", "/__simulator/", { headers });
    const withToken = { ...bearer("full-access-token"), ...headers };
    const service = await send(simulator, "POST", "/api/agents/b/webhooks", { body: webhookBody, headers: withToken });
    return [control.status, page.status, service.status];
  }

  const refused: Record<string, (port: number) => Record<string, string>> = {
    "a page of another site": () => ({ origin: "https://example.com" }),
    "a page of another port": (port) => ({ origin: `http://127.0.0.1:${String(port + 1)}` }),
    "a page of another name of this machine": (port) => ({ origin: `http://localhost:${String(port)}` }),
    "a page without an origin of its own, such as a file": () => ({ origin: "null" }),
    "an image in a page of another site": () => ({ "sec-fetch-site": "cross-site" }),
    "an image in a page of another port": () => ({ "sec-fetch-site": "same-site" }),
    "a page whose name leads to this machine (DNS rebinding)": (port) => ({ host: `evil.example:${String(port)}` }),
    "a page whose name begins like one of this machine": () => ({ host: "127.0.0.1.evil.example" }),
    "a page whose name ends like one of this machine": () => ({ host: "evil.localhost" }),
  };
  for (const [who, headersAt] of Object.entries(refused))
    it(`refuses ${who}, on every path, and changes and logs nothing`, async () => {
      assert.deepEqual(await statuses(headersAt(simulator.port)), [403, 403, 403]);
      assert.deepEqual(
        simulator.objects.webhooks().map(({ id }) => id),
        ["w"],
      );
      assert.deepEqual(simulator.requests, []);
    });

  const accepted: Record<string, (port: number) => Record<string, string>> = {
    "its own page": (port) => ({ origin: `http://127.0.0.1:${String(port)}`, "sec-fetch-site": "same-origin" }),
    "its own page under the name localhost": (port) => ({
      host: `localhost:${String(port)}`,
      origin: `http://localhost:${String(port)}`,
    }),
    "its own page through a tunnel with another port": () => ({ host: "[::1]:8080", origin: "http://[::1]:8080" }),
    "its own page through a proxy whose name it was given": () => ({
      host: "service.test",
      origin: "https://service.test",
    }),
    "an address that the user entered": () => ({ "sec-fetch-site": "none" }),
    "a program that is no browser": () => ({}),
  };
  for (const [who, headersAt] of Object.entries(accepted))
    it(`accepts ${who}`, async () => {
      assert.deepEqual(await statuses(headersAt(simulator.port)), [200, 200, 200]);
    });

  it("says in the refusal who is accepted, and answers a preflight in the same way", async () => {
    const headers = { origin: "https://example.com", "access-control-request-method": "PUT" };
    const { status, json, headers: answered } = await send(simulator, "OPTIONS", "/__simulator/objects", { headers });
    assert.deepEqual([status, json.code], [403, "origin_not_allowed"]);
    assert.equal(answered["access-control-allow-origin"], undefined);
  });

  it("names a foreign host in the refusal, and says what to do", async () => {
    const { status, json } = await send(simulator, "GET", "/__simulator/", { headers: { host: "Evil.example:80" } });
    const message =
      'The simulator does not accept the host "evil.example". Use 127.0.0.1 or localhost, or give the name to startSimulator as `hosts`.';
    assert.deepEqual([status, json], [403, { code: "host_not_allowed", message }]);
  });

  const followed = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

  it("opens its page by a link of another page", async () => {
    const status = async (path: string) => (await send(simulator, "GET", path, { headers: followed })).status;
    assert.deepEqual([await status("/__simulator"), await status("/__simulator/?x=1")], [302, 200]);
  });

  const notOpened: Record<string, [method: string, path: string, headers: Record<string, string>]> = {
    "the control interface": ["GET", "/__simulator/objects", {}],
    "a file of the page": ["GET", "/__simulator/page.js", {}],
    "the service": ["GET", "/api/agents/a/webhooks", {}],
    "a form that is sent to the page": ["POST", "/__simulator/", {}],
    "a frame": ["GET", "/__simulator/", { "sec-fetch-dest": "iframe" }],
    "a script that reads the page": ["GET", "/__simulator/", { "sec-fetch-mode": "cors" }],
    "a page of another origin": ["GET", "/__simulator/", { origin: "https://example.com" }],
    "a page of a foreign name": ["GET", "/__simulator/", { host: "evil.example" }],
  };
  for (const [what, [method, path, headers]] of Object.entries(notOpened))
    it(`does not open ${what} by a link of another page`, async () => {
      const { status } = await send(simulator, method, path, { headers: { ...followed, ...headers } });
      assert.equal(status, 403);
      assert.deepEqual(simulator.requests, []);
    });
});
