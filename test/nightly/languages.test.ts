import { programsIn } from "../support/languages";

programsIn("YAML", "rest");
programsIn("Python", "rest");
