import { keepsPromises } from "./promises";

keepsPromises(500);
