import assert from "node:assert/strict";
import { inspect } from "node:util";
import { proxyFor } from "../../provider/service/proxy";
import { Transport, type TransportFailure } from "../../provider/service/transport";
import { readSettings } from "../../provider/settings";
import { closedAfterEach } from "./support/close-after-each";
import { tunnelOpened } from "./support/proxy";
import { closedPort, httpAnswer, RawServer } from "./support/raw-server";
import { get, transportFailureOf } from "./support/transport";

const open = closedAfterEach();
const service = "https://api.service.example";

describe("The proxy of the environment", () => {
  const used = (environment: Record<string, string>, address = service): string | undefined =>
    proxyFor(address, environment)?.address;

  it("is HTTPS_PROXY, or else HTTP_PROXY, and lower case wins", () => {
    const [a, b, c, d] = ["http://a:1", "http://b:2", "http://c:3", "http://d:4"];
    assert.equal(used({}), undefined);
    assert.equal(used({ HTTP_PROXY: d }), d);
    assert.equal(used({ HTTP_PROXY: d, http_proxy: c }), c);
    assert.equal(used({ HTTP_PROXY: d, http_proxy: c, HTTPS_PROXY: b }), b);
    assert.equal(used({ HTTP_PROXY: d, http_proxy: c, HTTPS_PROXY: b, https_proxy: a }), a);
    assert.equal(used({ https_proxy: "", HTTPS_PROXY: b }), b);
    assert.equal(used({ ALL_PROXY: a }), undefined);
  });

  it("may be written without http://, and may use TLS", () => {
    assert.equal(used({ HTTPS_PROXY: "proxy.example:3128" }), "http://proxy.example:3128");
    assert.equal(used({ HTTPS_PROXY: "https://proxy.example" }), "https://proxy.example");
    assert.equal(used({ HTTPS_PROXY: "http://[2001:db8::1]:3128/" }), "http://[2001:db8::1]:3128");
  });

  it("has its credentials unescaped for its header, and nowhere else", () => {
    for (const [value, credentials] of [
      ["http://us%40er:pa%3Ass@proxy.example", "us@er:pa:ss"],
      ["http://user@proxy.example", "user:"],
      ["user:100%@proxy.example", "user:100%"],
    ] as const) {
      const proxy = proxyFor(service, { HTTPS_PROXY: value });
      assert.equal(proxy?.address, "http://proxy.example");
      assert.equal(proxy.authorization, `Basic ${Buffer.from(credentials).toString("base64")}`);
    }
  });

  it("is refused without its value where it is no http or https proxy", () => {
    for (const value of ["socks5://user:private@proxy.example", "http://user:private@", "http://user:private@a b"])
      assert.throws(
        () => proxyFor(service, { https_proxy: value }),
        (error: Error) => {
          assert.equal(error.message, "https_proxy is not the address of an http or https proxy");
          assert.doesNotMatch(inspect(error), /private/);
          return true;
        },
      );
  });

  for (const [excludes, lists] of Object.entries({
    "the host": ["api.service.example", "other, API.Service.Example", "other api.service.example"],
    "a domain above it": ["service.example", ".service.example", "*.service.example"],
    "its port": ["service.example:443", "api.service.example:443"],
    everything: ["*", "other,*"],
  }))
    it(`is not used where NO_PROXY names ${excludes}`, () => {
      for (const list of lists)
        for (const name of ["NO_PROXY", "no_proxy"])
          assert.equal(used({ HTTPS_PROXY: "http://a", [name]: list }), undefined, list);
    });

  it("is used where NO_PROXY names something else", () => {
    for (const list of ["", ",", "ice.example", "x.api.service.example", "service.example:8443", "10.0.0.0/8", ":443"])
      assert.equal(used({ HTTPS_PROXY: "http://a", NO_PROXY: list }), "http://a", list);
  });

  it("is compared with NO_PROXY for addresses too", () => {
    const proxy = { HTTPS_PROXY: "http://a" };
    for (const list of ["2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:8443"])
      assert.equal(used({ ...proxy, NO_PROXY: list }, "https://[2001:db8::1]:8443"), undefined, list);
    assert.equal(used({ ...proxy, NO_PROXY: "[2001:db8::1]:443" }, "https://[2001:db8::1]:8443"), "http://a");
    assert.equal(used({ ...proxy, NO_PROXY: "192.0.2.1" }, "https://192.0.2.1"), undefined);
  });

  it("is never used for a loopback address", () => {
    const proxies = { HTTPS_PROXY: "http://a", HTTP_PROXY: "http://a", NO_PROXY: "" };
    for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "[::ffff:127.0.0.1]"])
      for (const scheme of ["http", "https"])
        assert.equal(used(proxies, `${scheme}://${host}:8080/base`), undefined, host);
  });
});

describe("A request", () => {
  it("reaches the simulator's address although the shell names proxies", async () => {
    const server = open(await RawServer.listen({ onRequest: ({ socket }) => socket.write(httpAnswer(200, "{}")) }));
    const proxy = `http://127.0.0.1:${String(await closedPort())}`;
    const transport = open(new Transport(server.url, 5_000, { HTTPS_PROXY: proxy, HTTP_PROXY: proxy }));
    assert.equal((await transport.send(get)).status, 200);
  });

  it("reaches an IPv6 base URL", async () => {
    const server = open(
      await RawServer.listen({ onRequest: ({ socket }) => socket.write(httpAnswer(200, "{}")) }, undefined, "::1"),
    );
    const baseUrl = `http://[::1]:${String(server.port)}/base`;
    assert.equal(readSettings((key) => ({ baseUrl, accessToken: "t" })[key as "baseUrl"], {}).baseUrl, baseUrl);
    assert.equal((await open(new Transport(baseUrl, 5_000, {})).send(get)).status, 200);
    assert.match(server.received, /^GET \/base\/things HTTP\/1\.1\r\nhost: \[::1\]:\d+\r\n/i);
  });

  it("says which proxy failed, and never its credentials", async () => {
    const proxy = open(await RawServer.listen({ onRequest: ({ socket }) => socket.write(httpAnswer(407)) }));
    const environment = { HTTPS_PROXY: `http://user:pri%20vate@127.0.0.1:${String(proxy.port)}` };
    const transport = open(new Transport("https://service.test", 5_000, environment));
    const error = await transportFailureOf(transport.send({ ...get, headers: { authorization: "Bearer token" } }));
    assert.equal(error.sent, false);
    assert.equal(
      error.message,
      `the proxy ${proxy.url} (HTTPS_PROXY) answered 407 to CONNECT service.test:443 (it requires valid credentials)`,
    );
    assert.doesNotMatch(inspect(error, { depth: null }), /vate|dXNlcjpwcmkgdmF0ZQ/);
    // The proxy gets its own credentials, and nothing of the request.
    assert.match(proxy.received, /^CONNECT service\.test:443 HTTP\/1\.1\r\n/);
    assert.match(proxy.received, /proxy-authorization: Basic dXNlcjpwcmkgdmF0ZQ==/i);
    assert.doesNotMatch(proxy.received, /things|Bearer/);
  });

  it("names the proxy where a tunnel ends before TLS, and one that does not speak TLS itself", async () => {
    // It answers the first bytes, also those of a TLS handshake.
    const closing = open(await RawServer.listen({ onData: ({ socket }) => socket.end(tunnelOpened) }));
    const failing = async (address: string): Promise<TransportFailure> => {
      const transport = open(new Transport("https://service.test", 5_000, { HTTPS_PROXY: address }));
      const error = await transportFailureOf(transport.send(get));
      assert.equal(error.sent, false);
      return error;
    };
    const { message } = await failing(closing.url);
    assert.ok(message.includes(`, through the proxy ${closing.url} (HTTPS_PROXY)`), message);
    const refused = await failing(closing.url.replace("http:", "https:"));
    assert.match(refused.message, /cannot be used: it does not speak TLS \(\w+\); write http:\/\/ instead$/);
  });

  it("may have a time-out that is no whole number of milliseconds", async () => {
    const proxy = open(await RawServer.listen({ onRequest: ({ socket }) => socket.write(httpAnswer(502)) }));
    const transport = open(new Transport("https://service.test", 5_000.5, { HTTPS_PROXY: proxy.url }));
    await assert.rejects(transport.send(get), /answered 502 to CONNECT service\.test:443/);
  });

  it("is not sent where the environment's proxy has no usable address", async () => {
    const transport = open(new Transport("https://service.test", 5_000, { HTTPS_PROXY: "socks5://user:private@a" }));
    const { sent, message } = await transportFailureOf(transport.send(get));
    assert.deepEqual([sent, message], [false, "HTTPS_PROXY is not the address of an http or https proxy"]);
  });
});
