import assert from "node:assert/strict";
import { normalize } from "node:path";
import { filesLoadedBy, printedBy } from "./support";

const loadedByCommand = (...args: string[]): Promise<string> =>
  filesLoadedBy(`require("./cli/workspace-apps").workspaceApps(${JSON.stringify(args)}, { out() {}, err() {} })`).then(
    (files) => files.join("\n"),
  );

describe("Module loading:", () => {
  it("neither the registry nor the command loads the Pulumi SDK, which would cost a second", async () => {
    const ofSdk = (file: string): boolean => /[/\\]@pulumi[/\\]pulumi[/\\]/.test(file);
    const commands = ["adopt", "doctor", "review", "simulator"].flatMap((name) => [`${name}/help`, `${name}/run`]);
    const ofCommand = ["workspace-apps", ...commands].map((file) => `./cli/${file}`);
    const files = await filesLoadedBy(`${JSON.stringify(["./provider/registry", ...ofCommand])}.map(require)`);
    for (const loaded of ["webhook/lifecycle.ts", "cli/review/run.ts"])
      assert.ok(files.some((file) => file.endsWith(normalize(loaded))));
    assert.deepEqual(files.filter(ofSdk), []);
    // The same check finds the SDK when it is loaded.
    assert.ok((await filesLoadedBy(`require("./provider")`)).some(ofSdk));
  });

  it("the plugin loads of Pulumi's SDK only the messages of its protocol, and no HTTP library", async () => {
    // The plugin ends itself at the signal. It may print its port before.
    const [printed = ""] = (
      await printedBy(`
        const before = new Set(Object.keys(require.cache));
        require("./provider/pulumi/packaged/main");
        console.log(JSON.stringify(Object.keys(require.cache).filter((file) => !before.has(file))));
        process.kill(process.pid, "SIGTERM");`)
    ).split("\n");
    const files = (JSON.parse(printed) as string[]).map((file) => file.replaceAll("\\", "/"));
    assert.ok(files.some((file) => file.endsWith("webhook/lifecycle.ts")));
    const packages = files.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
    assert.deepEqual([...new Set(packages)].filter((name) => name !== undefined).toSorted(), [
      "@grpc/grpc-js",
      "@js-sdsl/ordered-map",
      "@pulumi/pulumi",
      "google-protobuf",
      "ipaddr.js",
      "zod",
    ]);
    const ofSdk = files.filter((file) => file.includes("/@pulumi/pulumi/"));
    assert.deepEqual(
      ofSdk.filter((file) => !/\/proto\/\w+_pb\.js$/.test(file)),
      [],
    );
  });

  it("a help text does not load the code of its command", async () => {
    const review = await loadedByCommand("review", "--help");
    assert.match(review, /cli\/review\/help\.ts/);
    assert.doesNotMatch(review, /cli\/review\/run\.ts/);
    for (const loaded of [await loadedByCommand("--help"), review])
      assert.doesNotMatch(loaded, /node_modules\/(zod|undici|hono|@hono|@pulumi)|provider\/(service|registry)/);
    // Their help texts list operation ids and simulator routes, which are declared with zod.
    for (const command of ["doctor", "simulator"]) {
      const loaded = await loadedByCommand(command, "--help");
      assert.match(loaded, new RegExp(`cli/${command}/help\\.ts`));
      assert.doesNotMatch(
        loaded,
        /node_modules\/(undici|hono|@hono|@pulumi)|provider\/(settings|registry|resources|pulumi)/,
      );
      assert.doesNotMatch(loaded, /provider\/service\/(client|transport|http-agents)/);
      assert.doesNotMatch(loaded, new RegExp(`cli/${command}/run\\.ts`));
    }
  });

  it("the HTTP library is loaded with the first request, because a preview sends none", async () => {
    const printed = await printedBy(`
      const { Transport } = require("./provider/service/transport");
      require("./provider");
      require("./provider/runtime");
      const isLoaded = () => Object.keys(require.cache).some((file) => file.includes("node_modules/undici/"));
      const transport = new Transport("http://127.0.0.1:1", 1000);
      const before = isLoaded();
      const asked = transport.send({ method: "GET", path: "/", headers: {}, ownConnection: false });
      console.log(JSON.stringify([before, isLoaded()]));
      asked.catch(() => transport.close());`);
    assert.deepEqual(JSON.parse(printed), [false, true]);
  });
});
