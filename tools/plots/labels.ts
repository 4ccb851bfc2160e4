/** A place on the picture, in its pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The name of a line, and where that line ends. */
export interface LineEnd {
  readonly text: string;
  readonly end: Place;
}

/** A line of the plot, from point to point. */
export type Line = readonly Place[];

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const labelHeight = 14;
const [gap, letter] = [8, 7.2];
/** How far a label may move from the end of its line, the nearest first. */
const moves = [0, 1, -1, 2, -2, 3, -3].map((steps) => steps * labelHeight);

/**
 * Where the names of the lines stand, each beside the end of its line: the middle of its left edge. None covers another one
 * or, where there is room, a line. All stay above `floor`.
 */
export function placeLabels(ends: readonly LineEnd[], lines: readonly Line[], floor: number): Map<string, Place> {
  const placed = new Map<string, Place>();
  const taken: Box[] = [];
  for (const { text, end } of ends.toSorted((one, other) => one.end.y - other.end.y)) {
    const places = moves.map((move) => ({ x: end.x + gap, y: end.y + move }));
    const isFree = (place: Place): boolean =>
      place.y <= floor && !taken.some((box) => overlap(box, boxOf(text, place)));
    const isClear = (place: Place): boolean =>
      !lines.some((line) => placesOn(line).some((other) => isIn(other, boxOf(text, place))));
    const place = places.find((one) => isFree(one) && isClear(one)) ?? places.find(isFree) ?? { ...end };
    placed.set(text, place);
    taken.push(boxOf(text, place));
  }
  return placed;
}

function boxOf(text: string, { x, y }: Place): Box {
  return { left: x, right: x + text.length * letter, top: y - labelHeight / 2, bottom: y + labelHeight / 2 };
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function isIn({ x, y }: Place, { left, right, top, bottom }: Box): boolean {
  return x > left && x < right && y > top && y < bottom;
}

/** Places along a line, closer together than a label is high. */
function placesOn(line: Line): Place[] {
  return line.slice(1).flatMap((end, index) => {
    const start = line[index] ?? end;
    const steps = Math.max(1, Math.ceil(Math.hypot(end.x - start.x, end.y - start.y) / (labelHeight / 4)));
    return Array.from({ length: steps + 1 }, (_, step) => ({
      x: start.x + ((end.x - start.x) * step) / steps,
      y: start.y + ((end.y - start.y) * step) / steps,
    }));
  });
}
