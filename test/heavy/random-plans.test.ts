import { randomPlans } from "../support/random-plans";

// The nightly tests play other seeds.
randomPlans([1]);
