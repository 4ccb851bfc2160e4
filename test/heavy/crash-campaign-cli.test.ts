import { interruptedLaunches } from "../support/campaign-next-commands";

interruptedLaunches("cli");
