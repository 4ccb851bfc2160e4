import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensureEngine, ensureLanguage } from "../../tools/engine";
import { engine, languageNamed, languages } from "../../tools/engine/components";
import { nothingWorked, sourcesInOrder } from "../../tools/engine/install";
import { generatePythonSdk } from "../../tools/engine/python-sdk";
import { isStale, withLock } from "../../tools/engine/lock";
import { findOnPath, isAtLeast, pinnedVersion, versionedFolder } from "../../tools/engine/programs";

/** A process that has ended. The system does not reuse its number soon. */
const deadPid = spawnSync(process.execPath, ["--version"]).pid;
const silent = (): void => undefined;

describe("tools/engine", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "engine-test-")));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const program = async (file: string, script: string): Promise<void> => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  };
  const install = async (where: string, version: string): Promise<void> => {
    await program(join(where, "pulumi"), `echo v${version}`);
    await program(join(where, "pulumi-language-nodejs"), "exit 0");
  };
  const environment = (...path: string[]): NodeJS.ProcessEnv => ({
    PATH: path.join(":"),
    PULUMI_HOME: join(folder, "home"),
  });

  describe("the choice by version", () => {
    it("compares versions by number, not by letter", () => {
      assert.equal(isAtLeast("v3.1000.0", "3.216.0"), true);
      assert.equal(isAtLeast("3.216.0", "3.216.0"), true);
      assert.equal(isAtLeast("v3.215.9-alpha.4", "3.216.0"), false);
      assert.equal(isAtLeast("go1.26.8", "1.26"), true);
      assert.equal(isAtLeast("go1.9", "1.26"), false);
      assert.equal(isAtLeast("no version here", "1.26"), false);
    });

    it("prefers the CLI on PATH, then the installer, then the build", () => {
      assert.deepEqual(sourcesInOrder("3.259.0"), ["path", "downloaded", "built"]);
      assert.deepEqual(sourcesInOrder(undefined), ["downloaded", "built"]);
    });

    it("refuses a CLI on PATH that is too old or has no language host", async () => {
      await install(join(folder, "old"), "3.100.0");
      await program(join(folder, "bare", "pulumi"), "echo v3.259.0");
      await assert.rejects(
        findOnPath("/nowhere", engine.programs, environment(join(folder, "old"))),
        /3\.100\.0, older than 3\.216\.0/,
      );
      await assert.rejects(
        findOnPath("/nowhere", engine.programs, environment(join(folder, "bare"))),
        /pulumi-language-nodejs was not found/,
      );
    });

    it("does not mistake the launcher of the npm package for an installed CLI", async () => {
      await install(join(folder, "node_modules", ".bin"), "3.259.0");
      await assert.rejects(
        findOnPath("/nowhere", engine.programs, environment(join(folder, "node_modules", ".bin"))),
        /pulumi was not found/,
      );
    });
  });

  describe("the versioned folder", () => {
    it("links the pinned version from PATH once, and then finds it there", async () => {
      await install(join(folder, "installed"), pinnedVersion());
      const env = environment(join(folder, "installed"), "/bin", "/usr/bin");
      const bin = versionedFolder(pinnedVersion(), env);
      const engine = { bin, version: pinnedVersion() };
      assert.deepEqual(await ensureEngine({ env, say: silent }), { ...engine, found: "path" });
      assert.equal(await readlink(join(bin, "pulumi")), join(folder, "installed", "pulumi"));
      assert.deepEqual(await ensureEngine({ env, say: (line) => assert.fail(line) }), { ...engine, found: "home" });
      assert.deepEqual(await readdir(dirname(bin)), ["bin"], "neither a lock nor a partial folder is left");
    });

    it("is repaired when it is on PATH itself, without linking it to itself", async () => {
      await install(join(folder, "installed"), pinnedVersion());
      const bin = versionedFolder(pinnedVersion(), environment());
      const env = environment(bin, join(folder, "installed"), "/bin", "/usr/bin");
      await ensureEngine({ env, say: silent });
      await rm(join(bin, "pulumi-resource-pulumi-nodejs"));
      assert.equal((await ensureEngine({ env, say: silent })).found, "path");
      assert.equal(await readlink(join(bin, "pulumi")), join(folder, "installed", "pulumi"));
    });

    it("is created by one of two concurrent processes, and used by the other", async () => {
      await install(join(folder, "installed"), pinnedVersion());
      const env = environment(join(folder, "installed"), "/bin", "/usr/bin");
      const both = await Promise.all([ensureEngine({ env, say: silent }), ensureEngine({ env, say: silent })]);
      assert.deepEqual(both.map(({ found }) => found).sort(), ["home", "path"]);
    });
  });

  describe("the host of another language", () => {
    it("is linked from beside the installed CLI, with its script, and then found", async () => {
      const installed = join(folder, "installed");
      await install(installed, pinnedVersion());
      for (const name of languages.python.programs) await program(join(installed, name), "exit 0");
      const env = environment(installed, "/bin", "/usr/bin");
      const bin = versionedFolder(pinnedVersion(), env);
      assert.equal((await ensureLanguage("python", { env, say: silent })).found, "path");
      for (const name of ["pulumi-language-python", "pulumi-language-python-exec"])
        assert.equal(await readlink(join(bin, name)), join(installed, name));
      const again = await ensureLanguage("python", { env, say: (line) => assert.fail(line) });
      assert.deepEqual(again, { bin, version: pinnedVersion(), found: "home" });
      assert.deepEqual(await readdir(dirname(bin)), ["bin"], "neither a lock nor a partial folder is left");
    });

    it("is found elsewhere on PATH too", async () => {
      await install(join(folder, "installed"), pinnedVersion());
      await program(join(folder, "hosts", "pulumi-language-yaml"), "exit 0");
      const env = environment(join(folder, "installed"), join(folder, "hosts"), "/bin", "/usr/bin");
      const { bin, found } = await ensureLanguage("yaml", { env, say: silent });
      assert.equal(found, "path");
      assert.equal(await readlink(join(bin, "pulumi-language-yaml")), join(folder, "hosts", "pulumi-language-yaml"));
    });

    it("is linked again when its script is gone, and leaves the engine unchanged", async () => {
      const installed = join(folder, "installed");
      await install(installed, pinnedVersion());
      for (const name of languages.python.programs) await program(join(installed, name), "exit 0");
      const env = environment(installed, "/bin", "/usr/bin");
      const { bin } = await ensureLanguage("python", { env, say: silent });
      await rm(join(bin, "pulumi-language-python-exec"));
      const before = await stat(join(bin, "pulumi-resource-pulumi-nodejs"));
      assert.equal((await ensureLanguage("python", { env, say: silent })).found, "path");
      assert.equal((await stat(join(bin, "pulumi-resource-pulumi-nodejs"))).ino, before.ino);
    });

    it("is one of those that can be installed", () => {
      assert.equal(languageNamed("yaml"), "yaml");
      assert.throws(() => languageNamed("pyton"), { message: 'Unknown language "pyton". Use one of: yaml, python.' });
    });

    it("generates Python SDKs itself where no generator was built", async () => {
      await program(join(folder, "pulumi"), 'mkdir -p "$7/python" && echo "$@" > "$7/python/arguments"');
      const sdk = join(folder, "sdk");
      await generatePythonSdk(folder, "schema.json", sdk);
      assert.match(await readFile(join(sdk, "arguments"), "utf8"), /^package gen-sdk schema\.json --language python /);
      assert.deepEqual((await readdir(folder)).sort(), ["pulumi", "sdk"]);
    });

    it("has an error of its own when nothing works", () => {
      const message = nothingWorked(languages.yaml, ["on PATH: pulumi was not found"]);
      assert.match(message, /^Pulumi's YAML language host is missing and could not be installed:\n/);
      assert.match(message, /then run `npm run engine -- --language yaml` again/);
      assert.match(message, /with its YAML language host, and have both on PATH/);
    });
  });

  describe("locks", () => {
    it("are stale when their process is dead, or has been silent for over a minute", () => {
      const host = hostname();
      assert.equal(isStale({ pid: process.pid, host, silentFor: 0 }), false);
      assert.equal(isStale({ pid: deadPid, host, silentFor: 0 }), true);
      assert.equal(isStale({ pid: process.pid, host, silentFor: 61_000 }), true, "the pid was reused");
      assert.equal(isStale({ pid: deadPid, host: `not-${host}`, silentFor: 0 }), false, "pids of another machine");
      assert.equal(isStale({ pid: Number(""), host: "", silentFor: 0 }), false, "being written");
    });

    it("of a killed process are acquired at once, and leave no file behind", async () => {
      const file = join(folder, "engine.lock");
      await writeFile(file, `${String(deadPid)} ${hostname()}`);
      const said: string[] = [];
      const held = withLock(
        file,
        (line) => said.push(line),
        new AbortController().signal,
        () => readFile(file, "utf8"),
      );
      assert.equal(await held, `${String(process.pid)} ${hostname()}`);
      assert.deepEqual(said, []);
      assert.deepEqual(await readdir(folder), []);
    });

    it("of a live process are waited for until an interrupt, and are not removed then", async () => {
      const file = join(folder, "engine.lock");
      await writeFile(file, `${String(process.ppid)} ${hostname()}`);
      const said: string[] = [];
      const waiting = withLock(
        file,
        (line) => said.push(line),
        AbortSignal.timeout(400),
        () => assert.fail(),
      );
      await assert.rejects(waiting, { name: "AbortError" });
      assert.match(said.join("\n"), /^waiting for another process/);
      assert.deepEqual(await readdir(folder), ["engine.lock"]);
    });
  });

  it("says what was tried and what to install when nothing works", () => {
    const message = nothingWorked(engine, ["on PATH: pulumi was not found", "build with Go: line one\nline two"]);
    assert.match(message, /^The Pulumi engine is missing and could not be installed:\n/);
    assert.match(message, / - on PATH: pulumi was not found\n {2}- build with Go: line one\n {4}line two\n/);
    assert.match(message, /Pulumi CLI 3\.216\.0 or newer/);
    assert.match(message, /internet access/);
    assert.match(message, /Go 1\.26 or newer/);
  });
});
