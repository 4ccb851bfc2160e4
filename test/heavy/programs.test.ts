import { programsWork } from "../support/programs";

describe("A program", () => {
  programsWork("CommonJS JavaScript", "an ES module");
});
