import { programsIn } from "../support/languages";

programsIn("Python", "rest");
