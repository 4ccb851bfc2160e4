import { hostileAnswers } from "../hostile/answers-suite";
import { runs } from "../hostile/runs";

hostileAnswers(runs(20_000));
