import { randomPlans } from "../support/random-plans";

// In a file of its own, which runs at the same time as the other.
randomPlans([4, 5, 6]);
