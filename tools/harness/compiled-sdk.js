"use strict";
// Preloaded into the Node processes of the engine. Most of their time is compiling Pulumi's SDK, so this keeps what V8 makes
// of it for the other processes of a test run. Only the SDK is loaded here, as the process would load it a moment later.
const { readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { deserialize, serialize } = require("node:v8");
const { constants, Script } = require("node:vm");

/** The files that the two programs of the SDK load before they run anything. */
const files = {
  run: ["index.js", "cmd/run/instrumentation.js", "cmd/run/tracing.js"],
  "dynamic-provider": ["index.js"],
};

const work = process.env["TESTED_WORKSPACE_APPS_WORK"];
const [, main = ""] = process.argv;
const [, sdk, name] = /^(.*[\\/]@pulumi[\\/]pulumi)[\\/]cmd[\\/](run|dynamic-provider)(?:[\\/]|$)/.exec(main) ?? [];
if (work !== undefined && sdk !== undefined) load(path.join(work, `compiled-${name}`));

function load(kept) {
  const earlier = read(kept);
  const scripts = new Map();
  const { _compile } = Module.prototype;
  Module.prototype._compile = function (content, filename) {
    const script = new Script(Module.wrap(content.replace(/^#!.*/, "")), {
      filename,
      cachedData: earlier?.get(filename),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(filename, script);
    const require = Module.createRequire(filename);
    return script.runInThisContext().call(this.exports, this.exports, require, this, filename, path.dirname(filename));
  };
  try {
    for (const file of files[name]) require(path.join(sdk, file));
  } finally {
    Module.prototype._compile = _compile;
  }
  // Now, so that the functions that have run are in it.
  if (earlier === undefined)
    write(kept, new Map([...scripts].map(([file, script]) => [file, script.createCachedData()])));
}

function read(file) {
  try {
    return deserialize(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Other processes find all of it or nothing. */
function write(file, content) {
  const fresh = `${file}-${process.pid}`;
  writeFileSync(fresh, serialize(content));
  renameSync(fresh, file);
}
