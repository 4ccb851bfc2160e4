import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import tls from "node:tls";
import { privateAuthority } from "../cli/support/self-signed";
import { type Simulator, startSimulator } from "../../simulator";
import { command, root, withTypeScript } from "./support";

/** A proxy in a process of its own. It wants credentials, resolves every host to this machine, and prints each CONNECT. */
const proxyProgram = `
  const [http, net] = [require("node:http"), require("node:net")];
  const expected = "Basic " + Buffer.from("robot:pass word").toString("base64");
  const proxy = http.createServer((request, response) => response.writeHead(501).end());
  proxy.on("connect", (request, socket) => {
    console.log("CONNECT " + request.url);
    socket.on("error", () => {});
    if (request.headers["proxy-authorization"] !== expected) return socket.end("HTTP/1.1 407 No\\r\\n\\r\\n");
    const service = net.connect(Number(process.argv[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\\r\\n\\r\\n");
      service.pipe(socket).pipe(service);
    });
    service.on("error", () => socket.destroy());
  });
  proxy.listen(0, "127.0.0.1", () => console.log(proxy.address().port));`;

describe("Behind a company's proxy and its private authority,", () => {
  const keys = privateAuthority("service.test");
  let [folder, authority, printed] = ["", "", ""];
  let simulator: Simulator;
  let service: tls.Server;
  let proxy: ChildProcess;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "workspace-apps-networks-"));
    authority = path.join(folder, "authority.pem");
    await writeFile(authority, keys.authority);
    simulator = await startSimulator();
    const simulatorPort = Number(new URL(simulator.url).port);
    service = tls.createServer(keys, (socket) => {
      const plain = net.connect(simulatorPort, "127.0.0.1").on("error", () => socket.destroy());
      socket
        .on("error", () => plain.destroy())
        .pipe(plain)
        .pipe(socket);
    });
    service.listen(0, "127.0.0.1");
    await once(service, "listening");
    const { port } = service.address() as AddressInfo;
    printed = "";
    proxy = spawn(process.execPath, ["--eval", proxyProgram, String(port)], { stdio: ["ignore", "pipe", "inherit"] });
    proxy.stdout?.setEncoding("utf8").on("data", (text: string) => (printed += text));
    while (!printed.includes("\n")) await once(proxy.stdout as NodeJS.EventEmitter, "data");
  });
  afterEach(async () => {
    proxy.kill();
    service.close();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });

  const proxyAt = (): string => `127.0.0.1:${printed.split("\n")[0] ?? ""}`;
  const connects = (): string[] => printed.split("\n").filter((line) => line.startsWith("CONNECT"));

  /** Runs doctor in a process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts. */
  async function doctor(environment: Record<string, string>) {
    const child = spawn(process.execPath, [...withTypeScript, command, "doctor", "--json"], {
      cwd: root,
      env: {
        PATH: process.env["PATH"],
        WORKSPACE_APPS_BASE_URL: "https://service.test",
        WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token",
        ...environment,
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    await once(child, "close");
    assert.doesNotMatch(output, /pass%20word|pass word|cm9ib3Q6/, "the proxy's password");
    const report = JSON.parse(output) as { checks: { check: string; state: string; seen: string; fix?: string }[] };
    return report.checks.find(({ check }) => check === "reachability") ?? assert.fail(output);
  }

  for (const variable of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"])
    it(`the service is reached with ${variable} and NODE_EXTRA_CA_CERTS`, async () => {
      const { state, seen } = await doctor({
        [variable]: `http://robot:pass%20word@${proxyAt()}`,
        NODE_EXTRA_CA_CERTS: authority,
      });
      assert.equal(state, "ok", seen);
      assert.ok(seen.endsWith(` through the proxy http://${proxyAt()} (${variable})`), seen);
      assert.ok(connects().length > 0);
      assert.deepEqual([...new Set(connects())], ["CONNECT service.test:443"]);
      assert.ok(simulator.requests.length > 0);
    });

  it("no request is sent without the authority's certificate, and the fix names the variable", async () => {
    const { state, fix } = await doctor({ HTTPS_PROXY: `http://robot:pass%20word@${proxyAt()}` });
    assert.equal(state, "fail");
    assert.match(fix ?? "", /set NODE_EXTRA_CA_CERTS to its PEM file/);
    assert.deepEqual(simulator.requests, []);
  });

  it("no request is sent with wrong credentials for the proxy", async () => {
    const { seen } = await doctor({ HTTPS_PROXY: `http://robot@${proxyAt()}`, NODE_EXTRA_CA_CERTS: authority });
    assert.match(seen, /answered 407 to CONNECT service\.test:443 \(it requires valid credentials\)/);
    assert.deepEqual(simulator.requests, []);
  });

  it("the proxy is left alone where NO_PROXY names the service", async () => {
    const { state } = await doctor({ HTTPS_PROXY: `http://${proxyAt()}`, NO_PROXY: ".test" });
    assert.equal(state, "fail", "the name has no address here");
    assert.deepEqual(connects(), []);
  });

  it("the simulator on this machine is reached without the proxy", async () => {
    const { state, seen } = await doctor({ HTTPS_PROXY: "http://127.0.0.1:1", WORKSPACE_APPS_BASE_URL: simulator.url });
    assert.equal(state, "ok", seen);
    assert.doesNotMatch(seen, /proxy/);
  });
});
