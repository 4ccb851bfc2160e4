import assert from "node:assert/strict";
import { onSimulator } from "./support";

describe("The simulator's page, over HTTP,", () => {
  const { simulator, get } = onSimulator();
  const load = (path: string) => get(`/__simulator${path}`, {});

  for (const [path, type] of [
    ["", "text/html"],
    ["page.css", "text/css"],
    ["page.js", "text/javascript"],
  ] as const)
    it(`serves /__simulator/${path} so that it can load and run nothing else`, async () => {
      const { status, headers, text } = await load(`/${path}`);
      assert.equal(status, 200);
      assert.ok(text.length > 0);
      assert.equal(headers["content-type"], `${type}; charset=utf-8`);
      const policy = String(headers["content-security-policy"]);
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
      assert.match(policy, /base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
      assert.doesNotMatch(policy, /unsafe|https?:|\*/);
      assert.deepEqual(
        [headers["x-content-type-options"], headers["cache-control"], headers["referrer-policy"]],
        ["nosniff", "no-store", "no-referrer"],
      );
    });

  it("names only files that are served, so a strict policy does not break it", async () => {
    const { text } = await load("/");
    const loaded = [...text.matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, address]) => address ?? "");
    assert.deepEqual(loaded.filter((address) => !address.startsWith("data:")).toSorted(), ["page.css", "page.js"]);
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  });

  it("is reached without the final slash too", async () => {
    const { status, headers } = await load("");
    assert.deepEqual([status, headers["location"]], [302, "/__simulator/"]);
  });

  it("serves nothing else of its folder, and is not in the request log", async () => {
    for (const path of ["serve.ts", "serve.js", "page.html", "..%2fserver.ts", "page.js/"])
      assert.equal((await load(`/${path}`)).status, 404, path);
    await load("/");
    assert.deepEqual(simulator.requests, []);
  });
});
