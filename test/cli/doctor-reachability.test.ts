import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { networkFailure } from "../../cli/doctor/network-errors";
import type { Cause } from "../../cli/doctor/report";
import { closedAfterEach } from "../service/support/close-after-each";
import { tunnelOpened, tunnelTo } from "../service/support/proxy";
import { closedPort, httpAnswer, RawServer } from "../service/support/raw-server";
import { environmentOf, examined, healthySimulator, ids } from "./support/doctor";
import { selfSigned } from "./support/self-signed";

const open = closedAfterEach();

/** The doctor's result for an unreachable service. Ids are given, so that there would be more to request. */
async function unreached(baseUrl: string, more: Record<string, string> = {}) {
  const { code, check, report, failed } = await examined(environmentOf(baseUrl, more), ids);
  assert.equal(code, 1);
  assert.deepEqual(failed(), ["reachability"], "consequences are not reported again");
  for (const name of ["credential bearer", "credential api_key", "clock"])
    assert.deepEqual([check(name).state, check(name).seen], ["not checked", "the service was not reached"]);
  for (const { state } of report.operations) assert.equal(state, "not checked");
  return { ...check("reachability"), requests: report.requests };
}

const answering = async (answer: string): Promise<RawServer> =>
  open(await RawServer.listen({ onRequest: ({ socket }) => socket.write(answer) }));

describe("workspace-apps doctor, when the service cannot be reached,", () => {
  it("reports that the connection was refused", async () => {
    const { cause, seen, fix, requests } = await unreached(`http://127.0.0.1:${String(await closedPort())}`);
    assert.equal(cause, "connection");
    assert.match(seen, /ECONNREFUSED 127\.0\.0\.1/);
    assert.match(fix ?? "", /Check the host and the port in workspace-apps:baseUrl \(or WORKSPACE_APPS_BASE_URL\)/);
    assert.equal(requests, 0, "none was sent");
  });

  it("reports that the host name is unknown", async () => {
    const original = dns.lookup;
    const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND service.invalid"), { code: "ENOTFOUND" });
    const lookup = (_: string, __: unknown, done: (error: Error) => void): void => {
      done(unknown);
    };
    Object.assign(dns, { lookup });
    try {
      const { cause, seen, fix } = await unreached("https://service.invalid");
      assert.equal(cause, "dns");
      assert.match(seen, /the host name has no address: getaddrinfo ENOTFOUND service\.invalid/);
      assert.match(fix ?? "", /Check the spelling of the host/);
    } finally {
      Object.assign(dns, { lookup: original });
    }
  });

  it("reports that a certificate is not trusted, and sends no request", async () => {
    let requests = 0;
    const server = createServer(selfSigned(), () => requests++).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const { cause, seen, fix } = await unreached(`https://localhost:${String(port)}`);
      assert.equal(cause, "tls");
      assert.match(seen, /SELF_SIGNED/);
      assert.match(fix ?? "", /NODE_EXTRA_CA_CERTS/);
      assert.equal(requests, 0);
    } finally {
      server.close();
    }
  });

  it("reports that a port does not speak TLS", async () => {
    const server = open(await RawServer.listen({ onData: ({ socket }) => socket.end(httpAnswer(400)) }));
    const { cause, fix } = await unreached(server.url.replace("http:", "https:"));
    assert.equal(cause, "tls");
    assert.match(fix ?? "", /Check the scheme and the port/);
  });

  it("reports that no response arrived in time, and how to wait longer", async () => {
    const server = open(await RawServer.listen());
    const { cause, seen, fix } = await unreached(server.url, { WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: "0.2" });
    assert.equal(cause, "timeout");
    assert.match(seen, /connected, but no response within 0\.2 s/);
    assert.match(fix ?? "", /WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS/);
  });

  it("reports that the connection broke", async () => {
    const server = open(await RawServer.listen({ onRequest: ({ socket }) => socket.resetAndDestroy() }));
    assert.equal((await unreached(server.url)).cause, "broken-connection");
  });

  const location = "https://moved.example/api?session=private";
  for (const [title, answer, cause, seen, fix] of [
    [
      "that a web page responds in place of the service",
      httpAnswer(200, "<html>Sign in</html>", { "content-type": "text/html" }),
      ...([
        "foreign-answer",
        /a server responds with 200, but not with JSON/,
        /not to a proxy or a sign-in page/,
      ] as const),
    ],
    [
      "a documented path whose response cannot come from the service",
      httpAnswer(404, "404 page not found"),
      ...(["foreign-answer", /404/, /including its path/] as const),
    ],
    [
      "that a gateway responds in place of the service",
      httpAnswer(502, "<html>Bad gateway</html>"),
      ...(["foreign-answer", /502/, /A gateway responds .* Run doctor again later/] as const),
    ],
    ...[301, 302, 307, 308].map(
      (status) =>
        [
          `where a ${String(status)} redirects to, without following it`,
          httpAnswer(status, "", { location }),
          "redirect",
          /redirects to https:\/\/moved\.example\/api$/,
          /Set workspace-apps:baseUrl .* to the address that it redirects to/,
        ] as const,
    ),
  ] as const)
    it(`reports ${title}, and sends the credential only once`, async () => {
      const server = await answering(answer);
      const said = await unreached(server.url);
      assert.equal(said.cause, cause);
      assert.match(said.seen, seen);
      assert.match(said.fix ?? "", fix);
      assert.equal(server.requestLines.length, 1);
    });

  it("reports that the proxy cannot be used, without its credentials", async () => {
    const proxy = `127.0.0.1:${String(await closedPort())}`;
    const environment = { HTTPS_PROXY: `http://user:private@${proxy}` };
    const { cause, seen, fix, requests } = await unreached("https://service.test", environment);
    assert.equal(cause, "proxy");
    assert.match(
      seen,
      new RegExp(`^no connection: the proxy http://${proxy} \\(HTTPS_PROXY\\) cannot be used: .*ECONNREFUSED`),
    );
    assert.match(fix ?? "", /Check HTTPS_PROXY.*NO_PROXY/);
    assert.doesNotMatch(`${seen} ${fix ?? ""}`, /private/);
    assert.equal(requests, 0);
  });

  it("reports a proxy that is malformed, without its value", async () => {
    const { cause, seen } = await unreached("https://service.test", { https_proxy: "socks5://user:private@a" });
    assert.equal(cause, "proxy");
    assert.equal(seen, "no connection: https_proxy is not the address of an http or https proxy");
  });

  it("reports which proxy is between, when the service's certificate is not trusted", async () => {
    const server = open(await RawServer.listen({}, selfSigned(2049, "service.test")));
    const proxy = open(await RawServer.listen(tunnelTo(server.port)));
    const { cause, fix } = await unreached("https://service.test", { HTTPS_PROXY: proxy.url });
    assert.equal(cause, "tls");
    assert.match(fix ?? "", /NODE_EXTRA_CA_CERTS/);
    assert.ok(fix?.endsWith(`The connection goes through the proxy ${proxy.url} (HTTPS_PROXY).`), fix);
  });

  it("doubts the proxy, and not the base URL, where a tunnel ends before TLS", async () => {
    const proxy = open(await RawServer.listen({ onRequest: ({ socket }) => socket.end(tunnelOpened) }));
    const { cause, seen, fix } = await unreached("https://service.test", { HTTPS_PROXY: proxy.url });
    assert.equal(cause, "proxy");
    assert.ok(seen.includes(`through the proxy ${proxy.url} (HTTPS_PROXY)`), seen);
    assert.match(fix ?? "", /^Check HTTPS_PROXY.*a proxy that allows CONNECT/);
  });

  it("reports that ALL_PROXY is not used", async () => {
    const proxy = { ALL_PROXY: "http://user:private@proxy.example" };
    const { fix } = await unreached(`http://127.0.0.1:${String(await closedPort())}`, proxy);
    assert.match(fix ?? "", /ALL_PROXY is set, but only HTTPS_PROXY and HTTP_PROXY are used/);
    assert.doesNotMatch(fix ?? "", /private/);
  });

  it("recognizes connection failures by their messages", () => {
    const faults: [string, boolean, Cause, RegExp][] = [
      ["getaddrinfo EAI_AGAIN service.example", false, "dns", /name server/],
      ["Hostname does not match (ERR_TLS_CERT_ALTNAME_INVALID)", false, "tls", /for another host/],
      ["certificate has expired (CERT_HAS_EXPIRED)", false, "tls", /has expired/],
      ["unable to get local issuer certificate (UNABLE_TO_GET_ISSUER_CERT_LOCALLY)", false, "tls", /NODE_EXTRA_CA/],
      ["connect EHOSTUNREACH 10.0.0.1:443", false, "connection", /firewall/],
      ["Connect Timeout Error (UND_ERR_CONNECT_TIMEOUT)", false, "timeout", /firewall/],
      ["no response within 30 s", false, "timeout", /firewall/],
      ["other side closed (UND_ERR_SOCKET)", true, "broken-connection", /cut connections/],
    ];
    for (const [words, sent, cause, fix] of faults) {
      const fault = networkFailure(words, sent, { proxy: undefined, environment: {} });
      assert.equal(fault.cause, cause, words);
      assert.match(fault.fix ?? "", fix);
    }
  });
});

describe("workspace-apps doctor, when the service can be reached,", () => {
  it("does not treat one slow operation as an unreachable service", async () => {
    const simulator = open(await healthySimulator({}, ["member.list"]));
    simulator.fault({ operation: "member.list", times: "always", then: "hang" });
    const environment = environmentOf(simulator.url, { WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: "0.5" });
    const { check, operation, failed } = await examined(environment, ids);
    assert.equal(check("reachability").state, "ok");
    assert.deepEqual(failed(), ["member.list"]);
    assert.equal(operation("member.list").cause, "timeout");
    assert.deepEqual(operation("member.list").results, { bearer: "no answer" });
  });

  it("requests the base URL, without a credential, when no operation can be called", async () => {
    const server = await answering(httpAnswer(404, "<html>nothing here</html>"));
    const environment = environmentOf(server.url, { WORKSPACE_APPS_ENDPOINTS: '{"member.list": "none"}' });
    const { code, check, operation } = await examined(environment);
    assert.equal(code, 0);
    assert.equal(check("reachability").state, "ok");
    assert.equal(check("credential bearer").state, "not checked");
    assert.match(operation("member.list").seen, /set to "none" in workspace-apps:endpoints/);
    assert.deepEqual(server.requestLines, ["GET /"]);
    assert.doesNotMatch(server.received, /full-access-token/);
  });

  it("reports it when that request gets no response either", async () => {
    const environment = environmentOf(`http://127.0.0.1:${String(await closedPort())}`, {
      WORKSPACE_APPS_ENDPOINTS: '{"member.list": "none"}',
    });
    const { check } = await examined(environment);
    assert.equal(check("reachability").cause, "connection");
  });

  it("keeps the path of the base URL", async () => {
    const server = await answering(httpAnswer(401, "{}"));
    await examined(environmentOf(`${server.url}/prefix/`));
    assert.deepEqual(server.requestLines, ["POST /prefix/api/workspace/members/list"]);
  });
});

describe("The clock check", () => {
  async function clockBeside(milliseconds: number, headers: Record<string, string> = {}) {
    const simulator = open(await healthySimulator({}, ["member.list"]));
    const date = new Date(Date.now() + milliseconds).toUTCString();
    const body = { members: [], next_cursor: null, has_more: false, total: 0 };
    simulator.fault({ operation: "member.list", then: { status: 200, body, headers: { date, ...headers } } });
    const { code, check } = await examined(environmentOf(simulator.url));
    return { code, ...check("clock") };
  }

  it("passes when the service's clock is up to half a minute off", async () => {
    for (const milliseconds of [0, 800, -800, 25_000, -25_000])
      assert.equal((await clockBeside(milliseconds)).state, "ok", String(milliseconds));
  });

  for (const [milliseconds, words] of [
    [600_000, /this machine's clock is (59|60)\d s behind the service's/],
    [-600_000, /this machine's clock is (59|60)\d s ahead of the service's/],
  ] as const)
    it(`is a warning with a fix when the service's clock is ${String(milliseconds / 1000)} s off`, async () => {
      const { code, state, cause, seen, fix } = await clockBeside(milliseconds);
      assert.deepEqual([code, state, cause], [0, "warn", "clock"]);
      assert.match(seen, words);
      assert.match(fix ?? "", /NTP/);
    });

  it("ignores the date of a cached response", async () => {
    const { state, seen } = await clockBeside(-600_000, { age: "600" });
    assert.deepEqual([state, seen], ["not checked", "no response had the service's time"]);
  });

  it("ignores an invalid date", async () => {
    assert.equal((await clockBeside(0, { date: "today" })).state, "not checked");
  });
});
