import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import tls from "node:tls";
import { privateAuthority } from "../cli/support/self-signed";
import { onSimulator } from "./on-simulator";

/** A proxy in a process of its own. It wants credentials, resolves every host to this machine, and prints each CONNECT. */
const proxyProgram = `
  const [http, net] = [require("node:http"), require("node:net")];
  const expected = "Basic " + Buffer.from("robot:pass word").toString("base64");
  const proxy = http.createServer((request, response) => response.writeHead(501).end());
  proxy.on("connect", (request, socket) => {
    console.log("CONNECT " + request.url);
    socket.on("error", () => {});
    if (request.headers["proxy-authorization"] !== expected) return socket.end("HTTP/1.1 407 No\\r\\n\\r\\n");
    const service = net.connect(Number(process.argv[1]), "::1", () => {
      socket.write("HTTP/1.1 200 OK\\r\\n\\r\\n");
      service.pipe(socket).pipe(service);
    });
    service.on("error", () => socket.destroy());
  });
  proxy.listen(0, "127.0.0.1", () => console.log(proxy.address().port));`;

/** For NODE_OPTIONS: a host of the tests has the address of this machine, as if the company's name server said so. */
const nameServerProgram = `
  const dns = require("node:dns");
  const { lookup } = dns;
  dns.lookup = (host, ...rest) => lookup(host.endsWith(".test") ? "::1" : host, ...rest);`;

/** A simulator behind TLS with the certificate of a private authority, and a proxy, for each test of a suite. */
export function companyNetwork() {
  const keys = privateAuthority("service.test", "::1", "2001:db8::1");
  const { simulator } = onSimulator({ hosts: ["service.test", "[2001:db8::1]"] });
  let [folder, printed] = ["", ""];
  let service: tls.Server;
  let proxy: ChildProcess;
  const file = (name: string): string => path.join(folder, name);
  const proxyAt = (): string => `127.0.0.1:${printed.split("\n")[0] ?? ""}`;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "workspace-apps-networks-"));
    await writeFile(file("authority.pem"), keys.authority);
    await writeFile(file("name-server.js"), nameServerProgram);
    const simulatorPort = Number(new URL(simulator.url).port);
    service = tls.createServer(keys, (socket) => {
      const plain = net.connect(simulatorPort, "127.0.0.1").on("error", () => socket.destroy());
      socket
        .on("error", () => plain.destroy())
        .pipe(plain)
        .pipe(socket);
    });
    service.listen(0, "::1");
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
    await rm(folder, { recursive: true, force: true });
  });

  return {
    simulator,
    /** Where the service itself listens, on `::1`. */
    servicePort: () => String((service.address() as AddressInfo).port),
    proxyAt,
    /** The proxy's address with its credentials. */
    proxyUrl: () => `http://robot:pass%20word@${proxyAt()}`,
    /** The targets that the proxy was asked to connect to. */
    connects: () => printed.split("\n").filter((line) => line.startsWith("CONNECT")),
    /** For NODE_EXTRA_CA_CERTS. */
    authority: () => file("authority.pem"),
    /** For NODE_OPTIONS. */
    nameServer: () => `--require ${file("name-server.js")}`,
  };
}
