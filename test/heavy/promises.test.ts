import { keepsPromises } from "../simulate/promises";

keepsPromises(5_000);
