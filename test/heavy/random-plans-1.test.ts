import { randomPlans } from "./random-plans";

randomPlans([1, 2, 3]);
