import { programsWork } from "../support/programs";

describe("A program", () => {
  programsWork("tarball", "an ES module");
  programsWork("checkout", "TypeScript");
});
