/** Marks the configuration of a Provider that a program declares: the stack's and the environment's values do not count. */
export const explicitKey = "isExplicitProvider";
