import { randomPlans } from "../support/random-plans";

randomPlans([1, 2, 3]);
