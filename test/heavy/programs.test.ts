import { programsWork } from "../support/programs";

describe("A program", () => {
  programsWork("checkout", "TypeScript");
});
