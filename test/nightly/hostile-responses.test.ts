import { hostileAnswers } from "../hostile/responses-suite";
import { runs } from "../hostile/run-count";

hostileAnswers(runs(20_000));
