import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import packageJson from "../../package.json";
import { dependencyFaults, scriptFaults } from "../../tools/check/installation";

/** The packages in the first column of the table under a heading of docs/dependencies.md. */
function justified(heading: string): string[] {
  const text = readFileSync(path.resolve(__dirname, "../../docs/dependencies.md"), "utf8");
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
  const cells = section.split("\n").flatMap((line) => /^\| ([^|]*)\|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)).toSorted();
}

describe("docs/dependencies.md", () => {
  it("gives a reason for every runtime dependency, and for no other", () => {
    const { dependencies, peerDependencies } = packageJson;
    assert.deepEqual(justified("At run time"), Object.keys({ ...dependencies, ...peerDependencies }).toSorted());
  });

  it("gives a reason for every development dependency, and for no other", () => {
    assert.deepEqual(justified("For development"), Object.keys(packageJson.devDependencies).toSorted());
  });
});

describe("npm run check", () => {
  it("finds a script that would run when the package is installed", () => {
    assert.deepEqual(scriptFaults({ scripts: { dependencies: "x", prepack: "x", build: "x" } }), []);
    for (const script of ["postinstall", "prepare"])
      assert.match(scriptFaults({ scripts: { [script]: "x" } }).join(), new RegExp(`^package\\.json: ${script} would`));
  });

  it("finds one of a package that ships, at any depth, and of no other", () => {
    const script = { hasInstallScript: true };
    const packages = {
      "node_modules/a": { dependencies: { b: "1" } },
      "node_modules/b": script,
      "node_modules/c": script,
    };
    assert.deepEqual(dependencyFaults({ dependencies: { a: "1" } }, packages), [
      "package-lock.json: b is a run-time dependency and runs a script when it is installed",
    ]);
  });
});
