"use strict";
// Removes what an earlier build left, so that a deleted source file cannot ship.
require("node:fs").rmSync("dist", { recursive: true, force: true });
