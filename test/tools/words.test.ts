import assert from "node:assert/strict";
import { fileFaults } from "../../tools/check/words";
import { nameFaults, sentenceFaults, subjectFaults } from "../../tools/check/words/rules";
import { sentencesIn } from "../../tools/check/words/text";

const long = Array.from({ length: 25 }, () => "word").join(" ");

describe("The linter of words", () => {
  for (const [sentence, ...faults] of [
    [long],
    [`${long} more`, "26 words; the limit is 25"],
    [`A dash — and 1 + 1 ${long.slice(0, 5 * 20 - 1)}`],
    ["What a response proves.", 'begins with "What"'],
    ["That is why.", 'begins with "That"'],
    ["Of two objects, the older one stays.", 'begins with "Of"'],
    ["(Said of a parent.)", 'begins with "Said"'],
    ["What does a response prove?"],
    ["Whatever the service says is shown."],
    ["Its id is that of the intent.", '"that of": name the thing again'],
    ["A list of which half can be read.", '"of which": start a new sentence'],
    ["It works also if it fails.", '"also if": write: even if'],
    ["It works also where it fails.", '"also where": write: even where'],
    ["The text stays as it is.", '"as it is": write: unchanged, or say how'],
    ["It runs as soon as it is there, and as long as it is."],
    ["An object that no state knows.", '"no state knows": write: is in no state'],
    ["It mends the record and writes it anew.", '"mends": write: fix', '"anew": write: again'],
    ["It recommends a renewed amendment."],
    ["A webhook that leaves the stack.", '"leaves the stack": write: is removed from'],
    ["A webhook that is removed from the stack leaves nothing."],
    ["Destroy ends the campaign.", '"ends the campaign": delete or pause?'],
    ["The response ends the connection."],
  ] as const)
    it(`${faults.length === 0 ? "accepts" : "rejects"} "${sentence.slice(0, 60)}"`, () => {
      assert.deepEqual(sentenceFaults(sentence), faults);
    });

  for (const [text, ...sentences] of [
    ["One. Two! Three?", "One.", "Two!", "Three?"],
    ["See https://example.com/a.b?c=d. It is here.", "See URL.", "It is here."],
    ["Some tools, e.g. Node.js 20.18.1, work.", "Some tools, e.g Node.js 20.18.1, work."],
  ] as const)
    it(`splits "${text}" into ${String(sentences.length)}`, () => {
      assert.deepEqual(sentencesIn(text), sentences);
    });

  const faulty = "What is this.";
  for (const [title, file, content, lines] of [
    [
      "each paragraph, item and cell of Markdown",
      "a.md",
      `${faulty}\n\n- ${faulty}\n\n| ${faulty} |\n|-|\n`,
      [1, 3, 5],
    ],
    ["no code of Markdown", "a.md", `\`${faulty}\`\n\n    ${faulty}\n\n\`\`\`\n${faulty}\n\`\`\`\n`, []],
    ["wrapped lines as one text", "a.md", "Not\nWhat it is.\n", []],
    ["a long code span as one word", "a.md", `A \`${long}\` b [${long.slice(0, -10)}](https://x.y) z.\n`, [1]],
    ["no excepted paragraph", "a.md", `<!-- words-ok: a quotation -->\n\n${faulty}\n\n${faulty}\n`, [5]],
    [
      "comments of every form",
      "a.ts",
      `/** ${faulty} */\n// ${faulty}\nf(/* ${faulty} */); // ${faulty}\n`,
      [1, 2, 3, 3],
    ],
    ["comments in adjacent lines as one", "a.ts", "// Not\n// That one.\nf();\n", []],
    ["each tag of a comment by itself", "a.ts", `/**\n * Good.\n *\n * @returns ${faulty}\n */\n`, [4]],
    ["strings and their joined parts", "a.ts", `f("${faulty}", "Not " + "What.", \`\${"${faulty}"} is\`);\n`, [1, 1]],
    ["each line of a template", "a.ts", `f(\`Good.\nWhat is \${this}.\`);\n`, [1]],
    ["a placeholder as one word", "a.ts", `f(\`\${a.b.c} ${long.slice(5)}\`, \`\${a} ${long}\`);\n`, [1]],
    ["titles of tests, but no other strings there", "test/a.ts", `describe("${faulty}");\nf("${faulty}");\n`, [1]],
    ["the names of things", "a.ts", "const mostBytes = 1;\nconst mostly = 2;\n", [1]],
    ["no excepted line", "a.ts", `// words-ok: a quotation\nf("${faulty}");\nf("${faulty}");\n`, [3]],
    ["no instruction for another tool", "a.ts", `// eslint-disable-next-line -- ${faulty}\n`, []],
  ] as const)
    it(`reads ${title}`, () => {
      assert.deepEqual(
        fileFaults(file, content).map((fault) => Number(fault.split(":")[1])),
        lines,
      );
    });

  it("prints file, line, rule and sentence", () => {
    assert.deepEqual(fileFaults("a.md", `Good.\n\nGood. ${faulty}\n`), [`a.md:3: begins with "What": ${faulty}`]);
  });

  it("wants max and min in names, and 72 characters in a subject", () => {
    assert.deepEqual(nameFaults("longestWait"), ['"longestWait": write max…']);
    assert.deepEqual(nameFaults("leastMicros"), ['"leastMicros": write min…']);
    assert.deepEqual(nameFaults("almostThere"), []);
    assert.deepEqual(subjectFaults("x".repeat(72)), []);
    assert.deepEqual(subjectFaults("x".repeat(73)), ["73 characters; the limit is 72"]);
  });
});
