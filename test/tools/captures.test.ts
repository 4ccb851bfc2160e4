import assert from "node:assert/strict";
import { spansOf, wrapped } from "../../tools/captures/ansi";
import { excerptOf } from "../../tools/captures/captures";
import { linesOf } from "../../tools/captures/page-text";
import { svgOf } from "../../tools/captures/svg";

const escape = "\u001b[";

describe("tools/captures", () => {
  it("keeps the colors and weights of a terminal, also from one line to the next", () => {
    const [first, second] = spansOf(`plain ${escape}38;5;3m${escape}1mbold\nstill${escape}0m not`);
    assert.deepEqual(first, [{ text: "plain " }, { text: "bold", bold: true, colour: "#e3b341" }]);
    assert.deepEqual(second, [{ text: "still", bold: true, colour: "#e3b341" }, { text: " not" }]);
  });

  it("supports the cube and the greys of 256 colors, and the bright ones", () => {
    const colours = spansOf(`${escape}38;5;208ma${escape}38;5;244mb${escape}91mc${escape}39md`)[0]?.map(
      (span) => span.colour,
    );
    assert.deepEqual(colours, ["#ff8700", "#808080", "#ffa198", undefined]);
  });

  it("leaves out cursor movements", () => {
    assert.deepEqual(spansOf(`${escape}2K${escape}?25lgone\r`), [[{ text: "gone" }]]);
  });

  it("breaks a long line after a space, and a long word where necessary", () => {
    const rows = wrapped(spansOf("one two three\nabcdefghij"), 8).map((row) => row.map(({ text }) => text).join(""));
    assert.deepEqual(rows, ["one two ", "three", "abcdefgh", "ij"]);
  });

  it("gives each piece its column, and escapes text", () => {
    const svg = svgOf({ title: "a & b", command: "echo", output: `  <x> ${escape}32my\n\n`, columns: 20 });
    assert.match(svg, /<title>a &amp; b<\/title>/);
    assert.match(svg, /<text x="32.8" y="51" textLength="25.2" [^>]*>&lt;x&gt;<\/text>/);
    assert.match(svg, /<text x="66.4" y="51" textLength="8.4" [^>]* fill="#56d364">y<\/text>/);
    assert.match(svg, /width="200" height="72"/);
  });

  it("keeps several spaces, which a browser would show as one", () => {
    const svg = svgOf({ title: "a", command: "echo", output: "a   b", columns: 20 });
    assert.match(svg, />a\u00a0{3}b<\/text>/);
  });

  it("shows the first step of a story, without its program and the lines of progress", () => {
    const story = [
      ...["Title", "=====", "", "1/2 Look.", "   index.ts:", "   + new App();", "   $ pulumi up"],
      ...[
        `   |  + Stack ${escape}1mcreating${escape}0m`,
        "   |      …",
        "   | Diagnostics:",
        "   > POST /launch -> 409",
      ],
      ...["   Checked: it holds.", "", "2/2 Again.", "   $ pulumi up"],
    ];
    assert.deepEqual(excerptOf(story.join("\n")).split("\n"), [
      ...["Title", "=====", "", "1/2 Look.", "   …", "   $ pulumi up", "   …", "   | Diagnostics:"],
      ...["   > POST /launch -> 409", "   Checked: it holds."],
    ]);
  });

  it("compares the text of a page without times, durations and ports", () => {
    assert.deepEqual(linesOf("http://127.0.0.1:40715\n\n 2026-11-17 23:59:22.099 UTC\n12 ms\nUSD 5.00"), [
      ...["http://127.0.0.1:4010", "DATE TIME UTC", "DURATION", "USD 5.00"],
    ]);
  });
});
