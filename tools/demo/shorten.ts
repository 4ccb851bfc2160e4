import { stripVTControlCharacters } from "node:util";
import type { Say } from "../engine/run";

/** A message as soon as it comes. At the end of a command Pulumi prints all of them again, under "Diagnostics". */
const early = /pulumi:pulumi:Stack \S+ (creating \([^)]*\) |running | ) *\S/;

/** General advice of Pulumi about operations that were interrupted. */
const advice = /^ *(These resources are in an unknown state|Once you have confirmed|Note that `pulumi refresh`)/;

/** Shows a mark in place of lines that say nothing new. Empty lines are left out too. */
export function shortened(show: Say): Say {
  let isMarked = false;
  return (line) => {
    const text = stripVTControlCharacters(line);
    if (text.trim() === "") return;
    const isLeftOut = early.test(text) || advice.test(text);
    if (!isLeftOut) show(line);
    else if (!isMarked) show("     …");
    isMarked = isLeftOut;
  };
}
