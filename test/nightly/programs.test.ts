import { programsWork } from "../support/programs";

describe("A program", () => {
  programsWork("tarball", "CommonJS JavaScript", "an ES module");
  programsWork("checkout", "CommonJS JavaScript", "an ES module");
});
