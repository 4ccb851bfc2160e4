import { keepsPromises } from "../simulate/launch-guarantees";

keepsPromises(5_000);
