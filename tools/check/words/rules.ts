/** How this project writes: short sentences that name their actor. */

const maxWords = 25;
const maxSubject = 72;

/** Words that never belong in a sentence, with what to write instead. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bthat of\b/i, "name the thing again"],
  [/\bof which\b/i, "start a new sentence"],
  [/\balso if\b/i, "write: even if"],
  [/\balso where\b/i, "write: even where"],
  [/(?<!\b(far|long|soon) )\bas it is\b/i, "write: unchanged, or say how"],
  [/\bno state knows\b/i, "write: is in no state"],
  [/\bmend(s|ed|ing)?\b/i, "write: fix"],
  [/\banew\b/i, "write: again"],
  [/\bis meant\b/i, "write: did you mean …?"],
  [/\bis none of\b/i, "write: is not one of"],
  [/\bwhatever comes of\b/i, "write: in any case"],
  [/\bfor a person to decide\b/i, "write: the user must decide"],
  [/\bin all that concerns\b/i, "write: for"],
  [/\bworth nothing\b/i, "write: unusable"],
  [/\bby a hair\b/i, "write: barely"],
  [
    /\b(leav(e|es|ing)|left) (the|a|its|this|that|your) (stack|state|program)\b(?! unchanged)/i,
    "write: is removed from",
  ],
  [
    /\bends? (the|a|an|its|every|this|that|your) (\w+ )?(campaign|webhook|record|test|membership)s?\b/i,
    "delete or pause?",
  ],
];

/** The faults of one sentence. Text in code and placeholders is one word each by now. */
export function sentenceFaults(sentence: string): string[] {
  const words = wordsIn(sentence);
  const faults = words > maxWords ? [`${String(words)} words; the limit is ${String(maxWords)}`] : [];
  const first = /^\W*(What|That|Said|Asked|Of)\b/.exec(sentence)?.[1];
  if (first !== undefined && !sentence.endsWith("?")) faults.push(`begins with "${first}"`);
  for (const [phrase, advice] of phrases) {
    const found = phrase.exec(sentence)?.[0];
    if (found !== undefined) faults.push(`"${found}": ${advice}`);
  }
  return faults;
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The faults of the name of a function, variable, property or type. */
export function nameFaults(name: string): string[] {
  const first = /^(most|longest|least)(?=[A-Z])/.exec(name)?.[1];
  return first === undefined ? [] : [`"${name}": write ${first === "least" ? "min" : "max"}…`];
}

/** The faults of the subject of a commit. */
export function subjectFaults(subject: string): string[] {
  const { length } = subject;
  return length > maxSubject ? [`${String(length)} characters; the limit is ${String(maxSubject)}`] : [];
}
