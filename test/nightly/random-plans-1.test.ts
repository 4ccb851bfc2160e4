import { randomPlans } from "../support/random-plans";

randomPlans([2, 3, 4]);
