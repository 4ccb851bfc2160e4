import { keepsPromises } from "./launch-guarantees";

keepsPromises(500);
