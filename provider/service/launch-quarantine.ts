/** How long nothing is launched again after a launch with an uncertain outcome, unless the user sets another time. */
export const defaultLaunchQuarantineSeconds = 900;
